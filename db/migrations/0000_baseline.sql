-- The tables as version 0.3.0 found them, by subject. What a row and a column is for is said in db/schema/; what only Postgres
-- knows (triggers, partitions, settings of tables, search indexes) is here alone. Channels of NOTIFY are sent in the
-- transaction of the change; payloads are ids, or empty where the rows are the truth.
--   catalog        the table in which something changed that is not a figure
--   live_metrics   ids of game servers whose visible figures changed, at most 1,000 a notification (the limit is 8,000 bytes)
--   collector      a collector began or ended holding results back
--   sessions       ids of sessions that ended, at most 200 a notification
--   ip_blocks, notifications, deliveries and mails   without payload

CREATE FUNCTION catalog_notify() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM pg_notify('catalog', TG_TABLE_NAME);
  RETURN NULL;
END $$;--> statement-breakpoint

------------------------------------------------------------------------------------------------------------------------
-- The site

CREATE TABLE site_identity (
  is_site boolean PRIMARY KEY DEFAULT true,
  kind text,
  secret_check text,
  CONSTRAINT site_identity_one_row CHECK (is_site),
  CONSTRAINT site_identity_kind CHECK (kind in ('real', 'demo'))
);--> statement-breakpoint

CREATE TABLE site_settings (
  setting_key text PRIMARY KEY,
  setting_value jsonb NOT NULL,
  updated_at timestamp with time zone DEFAULT now() NOT NULL
);--> statement-breakpoint
CREATE TRIGGER site_settings_notify AFTER INSERT OR UPDATE OR DELETE OR TRUNCATE ON site_settings
  FOR EACH STATEMENT EXECUTE FUNCTION catalog_notify();--> statement-breakpoint

CREATE TABLE site_troubles (
  trouble text PRIMARY KEY,
  first_seen_at timestamp with time zone DEFAULT now() NOT NULL,
  last_seen_at timestamp with time zone DEFAULT now() NOT NULL,
  told_at timestamp with time zone
);--> statement-breakpoint

CREATE TABLE backups (
  backup_id uuid PRIMARY KEY,
  file_name text NOT NULL,
  machine text NOT NULL,
  scheduled boolean NOT NULL,
  started_at timestamp with time zone NOT NULL,
  made_at timestamp with time zone,
  bytes bigint,
  row_count bigint,
  file_count integer,
  sha256 text,
  proven_at timestamp with time zone,
  error text
);--> statement-breakpoint
CREATE INDEX backups_newest ON backups (started_at);--> statement-breakpoint

CREATE TABLE jobs (
  name text PRIMARY KEY,
  started_at timestamp with time zone NOT NULL,
  finished_at timestamp with time zone NOT NULL,
  duration_ms integer NOT NULL,
  machine text NOT NULL,
  failed_at timestamp with time zone,
  failure text,
  failed_machine text
);--> statement-breakpoint

CREATE TABLE ip_blocks (
  block_id integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY,
  network cidr NOT NULL,
  reason text NOT NULL,
  blocked_until timestamp with time zone NOT NULL,
  created_at timestamp with time zone DEFAULT now() NOT NULL,
  CONSTRAINT ip_blocks_network_unique UNIQUE (network)
);--> statement-breakpoint
CREATE INDEX ip_blocks_ended ON ip_blocks (blocked_until);--> statement-breakpoint
CREATE FUNCTION ip_blocks_notify() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM pg_notify('ip_blocks', '');
  RETURN NULL;
END $$;--> statement-breakpoint
CREATE TRIGGER ip_blocks_notify AFTER INSERT OR UPDATE OR DELETE OR TRUNCATE ON ip_blocks
  FOR EACH STATEMENT EXECUTE FUNCTION ip_blocks_notify();--> statement-breakpoint

-- Written on every sign-in, and worth nothing after a crash: UNLOGGED.
CREATE UNLOGGED TABLE rate_limits (
  limit_key text PRIMARY KEY,
  points integer NOT NULL,
  expires_at timestamp with time zone NOT NULL
);--> statement-breakpoint
CREATE INDEX rate_limits_expired ON rate_limits (expires_at);--> statement-breakpoint

------------------------------------------------------------------------------------------------------------------------
-- Members

CREATE TABLE users (
  user_id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  email text NOT NULL,
  email_verified boolean DEFAULT false NOT NULL,
  name text DEFAULT '' NOT NULL,
  image text,
  two_factor_enabled boolean DEFAULT false NOT NULL,
  deactivated_at timestamp with time zone,
  erase_after timestamp with time zone,
  banned_until timestamp with time zone,
  ban_reason text,
  created_at timestamp with time zone DEFAULT now() NOT NULL,
  updated_at timestamp with time zone DEFAULT now() NOT NULL,
  passkeys_unchecked_since timestamp with time zone,
  CONSTRAINT users_email_unique UNIQUE (email),
  CONSTRAINT users_email_small_letters CHECK (email = lower(email))
);--> statement-breakpoint
CREATE INDEX users_banned ON users (banned_until) WHERE banned_until is not null;--> statement-breakpoint
CREATE INDEX users_newest ON users (created_at, user_id);--> statement-breakpoint
CREATE INDEX users_to_erase ON users (erase_after) WHERE erase_after is not null;--> statement-breakpoint

CREATE TABLE profiles (
  user_id uuid PRIMARY KEY,
  user_nick_name text NOT NULL,
  avatar_url text,
  locale text DEFAULT 'en' NOT NULL,
  theme text DEFAULT 'dark' NOT NULL,
  created_at timestamp with time zone DEFAULT now() NOT NULL,
  updated_at timestamp with time zone DEFAULT now() NOT NULL,
  CONSTRAINT profiles_user_id_users_user_id_fk FOREIGN KEY (user_id) REFERENCES users (user_id) ON DELETE CASCADE,
  CONSTRAINT profiles_locale CHECK (locale in ('en', 'de')),
  CONSTRAINT profiles_theme CHECK (theme in ('dark', 'light'))
);--> statement-breakpoint
CREATE UNIQUE INDEX profiles_nick_name ON profiles (lower(user_nick_name));--> statement-breakpoint

CREATE TABLE roles (
  user_id uuid PRIMARY KEY,
  role text DEFAULT 'user' NOT NULL,
  updated_at timestamp with time zone DEFAULT now() NOT NULL,
  CONSTRAINT roles_user_id_users_user_id_fk FOREIGN KEY (user_id) REFERENCES users (user_id) ON DELETE CASCADE,
  CONSTRAINT roles_role CHECK (role in ('user', 'moderator', 'admin'))
);--> statement-breakpoint
CREATE INDEX roles_of_few ON roles (role) WHERE role <> 'user';--> statement-breakpoint

CREATE TABLE accounts (
  account_id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  user_id uuid NOT NULL,
  provider text NOT NULL,
  provider_account_id text NOT NULL,
  password_hash text,
  access_token text,
  refresh_token text,
  id_token text,
  access_token_expires_at timestamp with time zone,
  refresh_token_expires_at timestamp with time zone,
  scope text,
  created_at timestamp with time zone DEFAULT now() NOT NULL,
  updated_at timestamp with time zone DEFAULT now() NOT NULL,
  CONSTRAINT accounts_of_provider UNIQUE (provider, provider_account_id),
  CONSTRAINT accounts_user_id_users_user_id_fk FOREIGN KEY (user_id) REFERENCES users (user_id) ON DELETE CASCADE
);--> statement-breakpoint
CREATE INDEX accounts_of_user ON accounts (user_id);--> statement-breakpoint

CREATE TABLE passkeys (
  passkey_id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  user_id uuid NOT NULL,
  name text,
  public_key text NOT NULL,
  credential_id text NOT NULL,
  counter integer NOT NULL,
  device_type text NOT NULL,
  backed_up boolean NOT NULL,
  transports text,
  aaguid text,
  created_at timestamp with time zone DEFAULT now() NOT NULL,
  CONSTRAINT passkeys_credential_id_unique UNIQUE (credential_id),
  CONSTRAINT passkeys_user_id_users_user_id_fk FOREIGN KEY (user_id) REFERENCES users (user_id) ON DELETE CASCADE
);--> statement-breakpoint
CREATE INDEX passkeys_of_user ON passkeys (user_id);--> statement-breakpoint

CREATE TABLE two_factors (
  two_factor_id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  user_id uuid NOT NULL,
  secret text NOT NULL,
  recovery_codes text NOT NULL,
  verified boolean DEFAULT false NOT NULL,
  failed_count integer DEFAULT 0 NOT NULL,
  locked_until timestamp with time zone,
  last_used_step bigint,
  recovery_secret text,
  CONSTRAINT two_factors_user_id_unique UNIQUE (user_id),
  CONSTRAINT two_factors_user_id_users_user_id_fk FOREIGN KEY (user_id) REFERENCES users (user_id) ON DELETE CASCADE
);--> statement-breakpoint

CREATE TABLE verifications (
  verification_id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  identifier text NOT NULL,
  value text NOT NULL,
  expires_at timestamp with time zone NOT NULL,
  created_at timestamp with time zone DEFAULT now() NOT NULL,
  updated_at timestamp with time zone DEFAULT now() NOT NULL
);--> statement-breakpoint
CREATE INDEX verifications_identifier ON verifications (identifier);--> statement-breakpoint
CREATE INDEX verifications_expired ON verifications (expires_at);--> statement-breakpoint

CREATE TABLE email_changes (
  user_id uuid PRIMARY KEY,
  old_email text NOT NULL,
  new_email text NOT NULL,
  old_token_hash text,
  new_token_hash text,
  requested_at timestamp with time zone DEFAULT now() NOT NULL,
  expires_at timestamp with time zone NOT NULL,
  old_confirmed_at timestamp with time zone,
  new_confirmed_at timestamp with time zone,
  CONSTRAINT email_changes_old_token_hash_unique UNIQUE (old_token_hash),
  CONSTRAINT email_changes_new_token_hash_unique UNIQUE (new_token_hash),
  CONSTRAINT email_changes_user_id_users_user_id_fk FOREIGN KEY (user_id) REFERENCES users (user_id) ON DELETE CASCADE
);--> statement-breakpoint
CREATE INDEX email_changes_expired ON email_changes (expires_at);--> statement-breakpoint

CREATE TABLE erased_accounts (
  erased_account_id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  email_hash text NOT NULL,
  registered_at timestamp with time zone NOT NULL,
  deactivated_at timestamp with time zone NOT NULL,
  erased_at timestamp with time zone DEFAULT now() NOT NULL,
  keep_until timestamp with time zone NOT NULL
);--> statement-breakpoint
CREATE INDEX erased_accounts_ended ON erased_accounts (keep_until);--> statement-breakpoint
CREATE INDEX erased_accounts_hash ON erased_accounts (email_hash);--> statement-breakpoint

CREATE TABLE invitations (
  invitation_id integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY,
  code_hash text NOT NULL,
  note text DEFAULT '' NOT NULL,
  uses_left integer DEFAULT 1 NOT NULL,
  expires_at timestamp with time zone NOT NULL,
  created_at timestamp with time zone DEFAULT now() NOT NULL,
  CONSTRAINT invitations_code_hash_unique UNIQUE (code_hash),
  CONSTRAINT invitations_uses CHECK (uses_left between 0 and 1000)
);--> statement-breakpoint
CREATE INDEX invitations_ended ON invitations (expires_at);--> statement-breakpoint

CREATE TABLE hidden_player_names (
  user_id uuid NOT NULL,
  player_name text NOT NULL,
  name_key text NOT NULL,
  created_at timestamp with time zone DEFAULT now() NOT NULL,
  CONSTRAINT hidden_player_names_user_id_name_key_pk PRIMARY KEY (user_id, name_key),
  CONSTRAINT hidden_player_names_user_id_users_user_id_fk FOREIGN KEY (user_id) REFERENCES users (user_id) ON DELETE CASCADE
);--> statement-breakpoint
CREATE INDEX hidden_player_names_key ON hidden_player_names (name_key);--> statement-breakpoint

CREATE TABLE sessions (
  session_id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  user_id uuid NOT NULL,
  token_hash text NOT NULL,
  created_at timestamp with time zone DEFAULT now() NOT NULL,
  last_used_at timestamp with time zone DEFAULT now() NOT NULL,
  expires_at timestamp with time zone NOT NULL,
  ends_at timestamp with time zone DEFAULT now() + interval '30 days' NOT NULL,
  ip text,
  user_agent text,
  CONSTRAINT sessions_token_hash_unique UNIQUE (token_hash),
  CONSTRAINT sessions_user_id_users_user_id_fk FOREIGN KEY (user_id) REFERENCES users (user_id) ON DELETE CASCADE
);--> statement-breakpoint
CREATE INDEX sessions_of_user ON sessions (user_id);--> statement-breakpoint
CREATE INDEX sessions_expired ON sessions (expires_at);--> statement-breakpoint
-- Tells every web process which sessions ended, so that their open streams end too.
CREATE FUNCTION sessions_notify() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  ids text;
BEGIN
  FOR ids IN
    SELECT string_agg(session_id::text, ',')
    FROM (SELECT session_id, (row_number() OVER () - 1) / 200 AS part FROM old_rows) AS ended
    GROUP BY part
  LOOP
    PERFORM pg_notify('sessions', ids);
  END LOOP;
  RETURN NULL;
END $$;--> statement-breakpoint
CREATE TRIGGER sessions_notify AFTER DELETE ON sessions
  REFERENCING OLD TABLE AS old_rows
  FOR EACH STATEMENT EXECUTE FUNCTION sessions_notify();--> statement-breakpoint

CREATE TABLE program_sessions (
  session_id uuid PRIMARY KEY,
  user_id uuid NOT NULL,
  program text NOT NULL,
  access_token_hash text NOT NULL,
  access_expires_at timestamp with time zone NOT NULL,
  refresh_family_hash text NOT NULL,
  refresh_token_hash text NOT NULL,
  CONSTRAINT program_sessions_access_token_hash_unique UNIQUE (access_token_hash),
  CONSTRAINT program_sessions_refresh_family_hash_unique UNIQUE (refresh_family_hash),
  CONSTRAINT program_sessions_session_id_sessions_session_id_fk FOREIGN KEY (session_id) REFERENCES sessions (session_id) ON DELETE CASCADE,
  CONSTRAINT program_sessions_user_id_users_user_id_fk FOREIGN KEY (user_id) REFERENCES users (user_id) ON DELETE CASCADE
);--> statement-breakpoint
CREATE INDEX program_sessions_of_user ON program_sessions (user_id);--> statement-breakpoint

CREATE TABLE api_keys (
  key_id integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY,
  user_id uuid NOT NULL,
  key_hash text NOT NULL,
  note text NOT NULL,
  scopes text[] NOT NULL,
  expires_at timestamp with time zone NOT NULL,
  last_used_at timestamp with time zone,
  created_at timestamp with time zone DEFAULT now() NOT NULL,
  CONSTRAINT api_keys_key_hash_unique UNIQUE (key_hash),
  CONSTRAINT api_keys_user_id_users_user_id_fk FOREIGN KEY (user_id) REFERENCES users (user_id) ON DELETE CASCADE,
  CONSTRAINT api_keys_scopes CHECK (scopes <@ array['admin:read', 'games:write', 'gameservers:write'] and cardinality(scopes) > 0)
);--> statement-breakpoint
CREATE INDEX api_keys_of_user ON api_keys (user_id);--> statement-breakpoint
CREATE INDEX api_keys_ended ON api_keys (expires_at);--> statement-breakpoint
-- Removes an admin's API keys with their role, with a ban and with the end of the account, in the same transaction.
CREATE FUNCTION api_keys_follow_user() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  DELETE FROM api_keys WHERE user_id = NEW.user_id;
  RETURN NULL;
END $$;--> statement-breakpoint
CREATE TRIGGER api_keys_follow_role AFTER UPDATE ON roles
  FOR EACH ROW WHEN (NEW.role <> 'admin') EXECUTE FUNCTION api_keys_follow_user();--> statement-breakpoint
CREATE TRIGGER api_keys_follow_account AFTER UPDATE ON users
  FOR EACH ROW WHEN (NEW.deactivated_at IS NOT NULL OR NEW.banned_until > now()) EXECUTE FUNCTION api_keys_follow_user();--> statement-breakpoint

CREATE TABLE audit_events (
  event_id bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY,
  happened_at timestamp with time zone DEFAULT now() NOT NULL,
  actor_id uuid,
  what text NOT NULL,
  subject_type text,
  subject_id text,
  ip text,
  user_agent text,
  details jsonb
);--> statement-breakpoint
CREATE INDEX audit_events_of_actor ON audit_events (actor_id, happened_at);--> statement-breakpoint
CREATE INDEX audit_events_of_subject ON audit_events (subject_type, subject_id, happened_at);--> statement-breakpoint
CREATE INDEX audit_events_of_kind ON audit_events (what, happened_at);--> statement-breakpoint
CREATE INDEX audit_events_age ON audit_events (happened_at);--> statement-breakpoint
-- Refuses changes of the audit log. A row may be deleted when it is a year old, or with the account that is being erased
-- (the transaction that erases sets spawnpoint.erasing to its user id).
CREATE FUNCTION audit_events_guard() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'DELETE' THEN
    IF OLD.happened_at < now() - interval '1 year'
      OR (current_setting('spawnpoint.erasing', true) <> '' AND current_setting('spawnpoint.erasing', true) IN (OLD.actor_id::text, OLD.subject_id))
    THEN
      RETURN OLD;
    END IF;
  END IF;
  RAISE EXCEPTION 'audit_events is append-only' USING ERRCODE = 'insufficient_privilege';
END $$;--> statement-breakpoint
CREATE TRIGGER audit_events_guard BEFORE UPDATE OR DELETE ON audit_events
  FOR EACH ROW EXECUTE FUNCTION audit_events_guard();--> statement-breakpoint
CREATE TRIGGER audit_events_guard_all BEFORE TRUNCATE ON audit_events
  FOR EACH STATEMENT EXECUTE FUNCTION audit_events_guard();--> statement-breakpoint

------------------------------------------------------------------------------------------------------------------------
-- Games and game servers

CREATE TABLE games (
  game_id integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY,
  game_name text NOT NULL,
  game_acronym text NOT NULL,
  game_slug text NOT NULL,
  tagline jsonb NOT NULL,
  description jsonb NOT NULL,
  guide jsonb DEFAULT '[]'::jsonb NOT NULL,
  guide_boxes jsonb DEFAULT '[]'::jsonb NOT NULL,
  picture text,
  sort_order integer DEFAULT 0 NOT NULL,
  published boolean DEFAULT true NOT NULL,
  created_at timestamp with time zone DEFAULT now() NOT NULL,
  updated_at timestamp with time zone DEFAULT now() NOT NULL,
  banner jsonb,
  catalogue_id text,
  join_link text,
  scene jsonb,
  scene_take integer DEFAULT 0 NOT NULL,
  scene_due_at timestamp with time zone DEFAULT now(),
  CONSTRAINT games_game_slug_unique UNIQUE (game_slug),
  CONSTRAINT games_catalogue_id_unique UNIQUE (catalogue_id)
);--> statement-breakpoint
CREATE INDEX games_order ON games (sort_order, game_id);--> statement-breakpoint
CREATE TRIGGER games_notify AFTER INSERT OR UPDATE OR DELETE OR TRUNCATE ON games
  FOR EACH STATEMENT EXECUTE FUNCTION catalog_notify();--> statement-breakpoint

CREATE TABLE gameserver (
  server_id integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY,
  game_id integer NOT NULL,
  server_name text NOT NULL,
  user_max integer,
  visibility text DEFAULT 'hidden' NOT NULL,
  server_locations text[] DEFAULT '{}'::text[] NOT NULL,
  lifecycle text DEFAULT 'active' NOT NULL,
  host text,
  game_port integer,
  query_port integer,
  adapter text NOT NULL,
  adapter_options jsonb DEFAULT '{}'::jsonb NOT NULL,
  poll_interval_s integer,
  version text,
  flavour text,
  mods text[] DEFAULT '{}'::text[] NOT NULL,
  join_link text,
  download_url text,
  description jsonb,
  sort_order integer DEFAULT 0 NOT NULL,
  heartbeat_token_hash text,
  demo boolean DEFAULT false NOT NULL,
  created_at timestamp with time zone DEFAULT now() NOT NULL,
  updated_at timestamp with time zone DEFAULT now() NOT NULL,
  maintenance_until timestamp with time zone,
  links jsonb DEFAULT '[]'::jsonb NOT NULL,
  password text,
  password_access text DEFAULT 'none' NOT NULL,
  access_note jsonb,
  show_details boolean DEFAULT true NOT NULL,
  adapter_secrets jsonb DEFAULT '{}'::jsonb NOT NULL,
  player_list boolean DEFAULT false NOT NULL,
  CONSTRAINT gameserver_heartbeat_token_hash_unique UNIQUE (heartbeat_token_hash),
  CONSTRAINT gameserver_game_id_games_game_id_fk FOREIGN KEY (game_id) REFERENCES games (game_id),
  CONSTRAINT gameserver_visibility CHECK (visibility in ('public', 'members', 'hidden')),
  CONSTRAINT gameserver_lifecycle CHECK (lifecycle in ('active', 'maintenance', 'retired')),
  CONSTRAINT gameserver_password_access CHECK (password_access in ('none', 'public', 'members', 'ask')),
  CONSTRAINT gameserver_adapter CHECK (adapter ~ '^[a-z][a-z0-9-]{0,39}$'),
  CONSTRAINT gameserver_gamedig_type CHECK (adapter <> 'gamedig' or adapter_options->>'gamedigType' is not null),
  CONSTRAINT gameserver_user_max CHECK (user_max between 0 and 100000),
  CONSTRAINT gameserver_ports CHECK (coalesce(game_port, 1024) between 1 and 65535 and coalesce(query_port, 1024) between 1 and 65535),
  CONSTRAINT gameserver_poll_interval CHECK (poll_interval_s between 1 and 3600)
);--> statement-breakpoint
CREATE INDEX gameserver_of_game ON gameserver (game_id, sort_order, server_id);--> statement-breakpoint
CREATE INDEX gameserver_maintenance_end ON gameserver (maintenance_until) WHERE maintenance_until is not null;--> statement-breakpoint
CREATE TRIGGER gameserver_notify AFTER INSERT OR UPDATE OR DELETE OR TRUNCATE ON gameserver
  FOR EACH STATEMENT EXECUTE FUNCTION catalog_notify();--> statement-breakpoint

CREATE TABLE address_batches (
  batch_id integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY,
  user_id uuid NOT NULL,
  created_at timestamp with time zone DEFAULT now() NOT NULL,
  CONSTRAINT address_batches_user_id_users_user_id_fk FOREIGN KEY (user_id) REFERENCES users (user_id) ON DELETE CASCADE
);--> statement-breakpoint
CREATE INDEX address_batches_of_user ON address_batches (user_id);--> statement-breakpoint
CREATE INDEX address_batches_age ON address_batches (created_at);--> statement-breakpoint

CREATE TABLE address_batch_lines (
  line_id integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY,
  batch_id integer NOT NULL,
  user_id uuid NOT NULL,
  typed text NOT NULL,
  unread text,
  host text,
  port integer,
  typed_name text,
  password text,
  asked_as text,
  claimed_until timestamp with time zone,
  attempts smallint DEFAULT 0 NOT NULL,
  examined_at timestamp with time zone,
  diagnosis jsonb,
  chosen boolean,
  chosen_game text,
  chosen_name text,
  refused text,
  added_at timestamp with time zone,
  server_id integer,
  CONSTRAINT address_batch_lines_batch_id_address_batches_batch_id_fk FOREIGN KEY (batch_id) REFERENCES address_batches (batch_id) ON DELETE CASCADE,
  CONSTRAINT address_batch_lines_user_id_users_user_id_fk FOREIGN KEY (user_id) REFERENCES users (user_id) ON DELETE CASCADE,
  CONSTRAINT address_batch_lines_server_id_gameserver_server_id_fk FOREIGN KEY (server_id) REFERENCES gameserver (server_id) ON DELETE SET NULL,
  CONSTRAINT address_batch_lines_address CHECK ((host is null) = (unread is not null)),
  CONSTRAINT address_batch_lines_port CHECK (port between 1 and 65535),
  CONSTRAINT address_batch_lines_lengths CHECK (char_length(typed) <= 300 and char_length(host) <= 300
        and char_length(typed_name) <= 80 and char_length(password) <= 64
        and char_length(chosen_name) <= 200)
);--> statement-breakpoint
CREATE INDEX address_batch_lines_of_batch ON address_batch_lines (batch_id, line_id);--> statement-breakpoint
CREATE INDEX address_batch_lines_server ON address_batch_lines (server_id);--> statement-breakpoint
CREATE INDEX address_batch_lines_of_user ON address_batch_lines (user_id);--> statement-breakpoint
CREATE INDEX address_batch_lines_waiting ON address_batch_lines (batch_id, line_id) WHERE examined_at is null and unread is null;--> statement-breakpoint

------------------------------------------------------------------------------------------------------------------------
-- What was measured

CREATE TABLE collector_process (
  collector_id uuid PRIMARY KEY,
  started_at timestamp with time zone NOT NULL,
  last_tick_at timestamp with time zone NOT NULL,
  in_flight integer DEFAULT 0 NOT NULL,
  delayed_since timestamp with time zone
);--> statement-breakpoint
CREATE FUNCTION collector_process_notify() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM pg_notify('collector', '');
  RETURN NULL;
END $$;--> statement-breakpoint
CREATE TRIGGER collector_process_notify AFTER UPDATE ON collector_process
  FOR EACH ROW WHEN (OLD.delayed_since IS DISTINCT FROM NEW.delayed_since) EXECUTE FUNCTION collector_process_notify();--> statement-breakpoint

-- Only ever updated: half of each page is left free for the next version of its rows (then no index is touched), and it is
-- vacuumed sooner than others.
CREATE TABLE gameserver_live_metrics (
  server_id integer PRIMARY KEY,
  status text DEFAULT 'unknown' NOT NULL,
  user_online integer,
  user_max_measured integer,
  user_peak integer,
  user_peak_at timestamp with time zone,
  user_peak_24h integer,
  user_peak_7d integer,
  version_measured text,
  map text,
  status_since timestamp with time zone,
  last_asked_at timestamp with time zone,
  last_answered_at timestamp with time zone,
  latency_ms integer,
  failure text,
  failures_in_row smallint DEFAULT 0 NOT NULL,
  heartbeat_at timestamp with time zone,
  heartbeat_players integer,
  heartbeat_max integer,
  heartbeat_version text,
  next_poll_at timestamp with time zone DEFAULT now() NOT NULL,
  claimed_by uuid,
  claimed_until timestamp with time zone,
  first_asked_at timestamp with time zone,
  bots_online integer,
  password_protected boolean,
  details_asked_at timestamp with time zone,
  CONSTRAINT gameserver_live_metrics_server_id_gameserver_server_id_fk FOREIGN KEY (server_id) REFERENCES gameserver (server_id) ON DELETE CASCADE,
  CONSTRAINT gameserver_live_metrics_status CHECK (status in ('unknown', 'online', 'degraded', 'offline')),
  CONSTRAINT gameserver_live_metrics_counts CHECK (user_online between 0 and 100000 and user_peak between 0 and 100000)
)
  WITH (fillfactor = 50, autovacuum_vacuum_scale_factor = 0.1, autovacuum_vacuum_threshold = 500);--> statement-breakpoint
CREATE FUNCTION gameserver_make_live_row() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO gameserver_live_metrics (server_id) VALUES (NEW.server_id) ON CONFLICT DO NOTHING;
  RETURN NULL;
END $$;--> statement-breakpoint
CREATE TRIGGER gameserver_make_live_row AFTER INSERT ON gameserver
  FOR EACH ROW EXECUTE FUNCTION gameserver_make_live_row();--> statement-breakpoint
-- Forgets what was measured at another address, and makes the server due at once. Peaks stay.
CREATE FUNCTION gameserver_ask_anew() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE gameserver_live_metrics SET
    status = 'unknown', status_since = now(), user_online = NULL, bots_online = NULL, user_max_measured = NULL,
    version_measured = NULL, map = NULL, password_protected = NULL, failure = NULL, failures_in_row = 0, latency_ms = NULL,
    last_asked_at = NULL, last_answered_at = NULL, next_poll_at = now(), claimed_by = NULL, claimed_until = NULL
  WHERE server_id = NEW.server_id;
  RETURN NULL;
END $$;--> statement-breakpoint
CREATE TRIGGER gameserver_ask_anew AFTER UPDATE ON gameserver
  FOR EACH ROW WHEN (
    (OLD.host, OLD.game_port, OLD.query_port, OLD.adapter, OLD.adapter_options, OLD.lifecycle)
    IS DISTINCT FROM (NEW.host, NEW.game_port, NEW.query_port, NEW.adapter, NEW.adapter_options, NEW.lifecycle)
  ) EXECUTE FUNCTION gameserver_ask_anew();--> statement-breakpoint
-- Postgres plans it at the first call, mostly for one row, and keeps the plan: a nested loop takes 100 ms for 1,000 rows later.
CREATE FUNCTION gameserver_live_metrics_notify() RETURNS trigger LANGUAGE plpgsql SET enable_nestloop = off AS $$
DECLARE
  ids text;
BEGIN
  FOR ids IN
    SELECT string_agg(server_id::text, ',')
    FROM (
      SELECT new_rows.server_id, (row_number() OVER (ORDER BY new_rows.server_id) - 1) / 1000 AS part
      FROM new_rows JOIN old_rows USING (server_id)
      WHERE (old_rows.status, old_rows.user_online, old_rows.bots_online, old_rows.user_max_measured, old_rows.user_peak,
             old_rows.user_peak_24h, old_rows.user_peak_7d, old_rows.version_measured, old_rows.map,
             old_rows.password_protected, old_rows.failure)
        IS DISTINCT FROM
            (new_rows.status, new_rows.user_online, new_rows.bots_online, new_rows.user_max_measured, new_rows.user_peak,
             new_rows.user_peak_24h, new_rows.user_peak_7d, new_rows.version_measured, new_rows.map,
             new_rows.password_protected, new_rows.failure)
    ) AS changed
    GROUP BY part
  LOOP
    PERFORM pg_notify('live_metrics', ids);
  END LOOP;
  RETURN NULL;
END $$;--> statement-breakpoint
CREATE TRIGGER gameserver_live_metrics_notify AFTER UPDATE ON gameserver_live_metrics
  REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows
  FOR EACH STATEMENT EXECUTE FUNCTION gameserver_live_metrics_notify();--> statement-breakpoint

CREATE TABLE gameserver_details (
  server_id integer PRIMARY KEY,
  lines jsonb DEFAULT '[]'::jsonb NOT NULL,
  mods text[] DEFAULT '{}'::text[] NOT NULL,
  icon text,
  icon_id text,
  icon_told_sha256 text,
  changed_at timestamp with time zone DEFAULT now() NOT NULL,
  CONSTRAINT gameserver_details_server_id_gameserver_server_id_fk FOREIGN KEY (server_id) REFERENCES gameserver (server_id) ON DELETE CASCADE,
  CONSTRAINT gameserver_details_icon CHECK ((icon is null) = (icon_id is null)),
  CONSTRAINT gameserver_details_icon_size CHECK (char_length(icon) <= 100000)
);--> statement-breakpoint
-- Forgets what another machine said of itself, and what is no longer shown; it is asked for again at the next turn.
CREATE FUNCTION gameserver_forget_details() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  DELETE FROM gameserver_details WHERE server_id = NEW.server_id;
  UPDATE gameserver_live_metrics SET details_asked_at = NULL
  WHERE server_id = NEW.server_id AND details_asked_at IS NOT NULL;
  RETURN NULL;
END $$;--> statement-breakpoint
CREATE TRIGGER gameserver_forget_details AFTER UPDATE ON gameserver
  FOR EACH ROW WHEN (
    (OLD.host, OLD.game_port, OLD.query_port, OLD.adapter, OLD.adapter_options, OLD.show_details)
    IS DISTINCT FROM (NEW.host, NEW.game_port, NEW.query_port, NEW.adapter, NEW.adapter_options, NEW.show_details)
  ) EXECUTE FUNCTION gameserver_forget_details();--> statement-breakpoint

-- Names are of the moment: UNLOGGED, so that no write-ahead log and no backup holds them, and a crash empties the table. A
-- trigger removes them when a list is turned off and when a game server is hidden, moved or sent to maintenance.
CREATE UNLOGGED TABLE gameserver_player_lists (
  server_id integer PRIMARY KEY,
  names text[] DEFAULT '{}'::text[] NOT NULL,
  name_keys text[] DEFAULT '{}'::text[] NOT NULL,
  told_at timestamp with time zone DEFAULT now() NOT NULL,
  CONSTRAINT gameserver_player_lists_server_id_gameserver_server_id_fk FOREIGN KEY (server_id) REFERENCES gameserver (server_id) ON DELETE CASCADE
);--> statement-breakpoint
CREATE FUNCTION gameserver_forget_players() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  DELETE FROM gameserver_player_lists WHERE server_id = NEW.server_id;
  RETURN NULL;
END $$;--> statement-breakpoint
CREATE TRIGGER gameserver_forget_players AFTER UPDATE ON gameserver
  FOR EACH ROW WHEN (
    (OLD.host, OLD.game_port, OLD.query_port, OLD.adapter, OLD.lifecycle, OLD.visibility, OLD.player_list)
    IS DISTINCT FROM (NEW.host, NEW.game_port, NEW.query_port, NEW.adapter, NEW.lifecycle, NEW.visibility, NEW.player_list)
  ) EXECUTE FUNCTION gameserver_forget_players();--> statement-breakpoint

CREATE TABLE gameserver_wait (
  server_id integer PRIMARY KEY,
  until timestamp with time zone NOT NULL,
  watcher text NOT NULL,
  CONSTRAINT gameserver_wait_server_id_gameserver_server_id_fk FOREIGN KEY (server_id) REFERENCES gameserver (server_id) ON DELETE CASCADE
);--> statement-breakpoint

-- A partition a day, made by jobs/measurements/sample-partitions.ts.
CREATE TABLE gameserver_sample (
  server_id integer NOT NULL,
  asked_at timestamp with time zone NOT NULL,
  status text NOT NULL,
  user_online integer,
  user_max integer,
  latency_ms integer,
  failure text
) PARTITION BY RANGE (asked_at);--> statement-breakpoint
CREATE INDEX gameserver_sample_of_server ON gameserver_sample (server_id, asked_at);--> statement-breakpoint

CREATE TABLE gameserver_status_event (
  event_id bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY,
  server_id integer NOT NULL,
  from_status text NOT NULL,
  to_status text NOT NULL,
  failure text,
  changed_at timestamp with time zone NOT NULL,
  last_answered_at timestamp with time zone,
  first_failed_at timestamp with time zone,
  last_failed_at timestamp with time zone,
  failures smallint,
  CONSTRAINT gameserver_status_event_server_id_gameserver_server_id_fk FOREIGN KEY (server_id) REFERENCES gameserver (server_id) ON DELETE CASCADE
);--> statement-breakpoint
CREATE INDEX gameserver_status_event_of_server ON gameserver_status_event (server_id, changed_at);--> statement-breakpoint
CREATE INDEX gameserver_status_event_age ON gameserver_status_event (changed_at);--> statement-breakpoint
-- Writes the event for what gameserver_ask_anew forgets. It is a trigger BEFORE, so that it runs first.
CREATE FUNCTION gameserver_note_forgotten() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO gameserver_status_event (server_id, from_status, to_status, changed_at, failures)
  SELECT server_id, status, 'unknown', now(), 0 FROM gameserver_live_metrics
  WHERE server_id = NEW.server_id AND status <> 'unknown';
  RETURN NEW;
END $$;--> statement-breakpoint
CREATE TRIGGER gameserver_note_forgotten BEFORE UPDATE ON gameserver
  FOR EACH ROW WHEN (
    (OLD.host, OLD.game_port, OLD.query_port, OLD.adapter, OLD.adapter_options, OLD.lifecycle)
    IS DISTINCT FROM (NEW.host, NEW.game_port, NEW.query_port, NEW.adapter, NEW.adapter_options, NEW.lifecycle)
  ) EXECUTE FUNCTION gameserver_note_forgotten();--> statement-breakpoint

CREATE TABLE gameserver_watch (
  "only" boolean PRIMARY KEY DEFAULT true,
  watched_until timestamp with time zone NOT NULL,
  CONSTRAINT gameserver_watch_only CHECK ("only")
);--> statement-breakpoint

CREATE TABLE gameserver_watch_gap (
  gap_id bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY,
  server_id integer,
  starts_at timestamp with time zone NOT NULL,
  ends_at timestamp with time zone,
  reason text NOT NULL,
  CONSTRAINT gameserver_watch_gap_server_id_gameserver_server_id_fk FOREIGN KEY (server_id) REFERENCES gameserver (server_id) ON DELETE CASCADE,
  CONSTRAINT gameserver_watch_gap_reason CHECK (reason in ('maintenance', 'own_fault', 'not_watched', 'not_asked'))
);--> statement-breakpoint
CREATE INDEX gameserver_watch_gap_of_server ON gameserver_watch_gap (server_id, starts_at);--> statement-breakpoint
CREATE UNIQUE INDEX gameserver_watch_gap_open ON gameserver_watch_gap (server_id, reason) WHERE ends_at is null;--> statement-breakpoint
-- Maintenance counts as neither up nor down, whether an admin, a program or its own end began and ended it.
CREATE FUNCTION gameserver_note_maintenance() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF NEW.lifecycle = 'maintenance' THEN
    INSERT INTO gameserver_watch_gap (server_id, starts_at, reason) VALUES (NEW.server_id, now(), 'maintenance')
    ON CONFLICT DO NOTHING;
  ELSE
    UPDATE gameserver_watch_gap SET ends_at = now()
    WHERE server_id = NEW.server_id AND reason = 'maintenance' AND ends_at IS NULL;
  END IF;
  RETURN NULL;
END $$;--> statement-breakpoint
CREATE TRIGGER gameserver_note_maintenance_made AFTER INSERT ON gameserver
  FOR EACH ROW WHEN (NEW.lifecycle = 'maintenance') EXECUTE FUNCTION gameserver_note_maintenance();--> statement-breakpoint
CREATE TRIGGER gameserver_note_maintenance AFTER UPDATE ON gameserver
  FOR EACH ROW WHEN (OLD.lifecycle IS DISTINCT FROM NEW.lifecycle) EXECUTE FUNCTION gameserver_note_maintenance();--> statement-breakpoint

CREATE TABLE gameserver_rollup_5m (
  server_id integer NOT NULL,
  starts_at timestamp with time zone NOT NULL,
  user_min integer,
  user_max integer,
  user_sum bigint NOT NULL,
  user_count integer NOT NULL,
  asked integer NOT NULL,
  up_s integer NOT NULL,
  down_s integer NOT NULL,
  CONSTRAINT gameserver_rollup_5m_server_id_starts_at_pk PRIMARY KEY (server_id, starts_at),
  CONSTRAINT gameserver_rollup_5m_server_id_gameserver_server_id_fk FOREIGN KEY (server_id) REFERENCES gameserver (server_id) ON DELETE CASCADE
);--> statement-breakpoint

CREATE TABLE gameserver_rollup_1h (
  server_id integer NOT NULL,
  starts_at timestamp with time zone NOT NULL,
  user_min integer,
  user_max integer,
  user_sum bigint NOT NULL,
  user_count integer NOT NULL,
  asked integer NOT NULL,
  up_s integer NOT NULL,
  down_s integer NOT NULL,
  CONSTRAINT gameserver_rollup_1h_server_id_starts_at_pk PRIMARY KEY (server_id, starts_at),
  CONSTRAINT gameserver_rollup_1h_server_id_gameserver_server_id_fk FOREIGN KEY (server_id) REFERENCES gameserver (server_id) ON DELETE CASCADE
);--> statement-breakpoint

CREATE TABLE gameserver_rollup_1d (
  server_id integer NOT NULL,
  starts_at timestamp with time zone NOT NULL,
  user_min integer,
  user_max integer,
  user_sum bigint NOT NULL,
  user_count integer NOT NULL,
  asked integer NOT NULL,
  up_s integer NOT NULL,
  down_s integer NOT NULL,
  CONSTRAINT gameserver_rollup_1d_server_id_starts_at_pk PRIMARY KEY (server_id, starts_at),
  CONSTRAINT gameserver_rollup_1d_server_id_gameserver_server_id_fk FOREIGN KEY (server_id) REFERENCES gameserver (server_id) ON DELETE CASCADE
);--> statement-breakpoint

CREATE TABLE gameserver_rollup_progress (
  "only" boolean PRIMARY KEY DEFAULT true,
  rolled_until timestamp with time zone NOT NULL,
  counted_from timestamp with time zone,
  CONSTRAINT gameserver_rollup_progress_only CHECK ("only")
);--> statement-breakpoint

------------------------------------------------------------------------------------------------------------------------
-- Outposts

CREATE TABLE outposts (
  outpost_id integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY,
  name text NOT NULL,
  token_hash text NOT NULL,
  nonce text,
  created_by uuid,
  created_at timestamp with time zone DEFAULT now() NOT NULL,
  last_seen_at timestamp with time zone,
  version text,
  clock_offset_ms integer,
  round_trip_ms integer,
  CONSTRAINT outposts_name_unique UNIQUE (name),
  CONSTRAINT outposts_token_hash_unique UNIQUE (token_hash),
  CONSTRAINT outposts_created_by_users_user_id_fk FOREIGN KEY (created_by) REFERENCES users (user_id) ON DELETE SET NULL,
  CONSTRAINT outposts_name CHECK (length(name) <= 40)
);--> statement-breakpoint
CREATE INDEX outposts_of_user ON outposts (created_by);--> statement-breakpoint

CREATE TABLE outpost_results (
  outpost_id integer NOT NULL,
  server_id integer NOT NULL,
  target_key text NOT NULL,
  ok boolean NOT NULL,
  latency_ms integer,
  failure text,
  asked_at timestamp with time zone NOT NULL,
  CONSTRAINT outpost_results_outpost_id_server_id_pk PRIMARY KEY (outpost_id, server_id),
  CONSTRAINT outpost_results_outpost_id_outposts_outpost_id_fk FOREIGN KEY (outpost_id) REFERENCES outposts (outpost_id) ON DELETE CASCADE,
  CONSTRAINT outpost_results_server_id_gameserver_server_id_fk FOREIGN KEY (server_id) REFERENCES gameserver (server_id) ON DELETE CASCADE
);--> statement-breakpoint
CREATE INDEX outpost_results_of_server ON outpost_results (server_id);--> statement-breakpoint
-- A name for what an outpost was asked to look at. It changes with every part of the address and the way of asking: a result
-- of another one says nothing.
CREATE FUNCTION gameserver_target_key(g gameserver) RETURNS text LANGUAGE sql STABLE AS $$
  SELECT md5(jsonb_build_array(g.adapter, g.host, g.game_port, g.query_port, g.adapter_options)::text)
$$;--> statement-breakpoint
CREATE FUNCTION outpost_results_notify() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  ids text;
BEGIN
  FOR ids IN
    SELECT string_agg(server_id::text, ',')
    FROM (SELECT server_id, (row_number() OVER (ORDER BY server_id) - 1) / 1000 AS part FROM changed WHERE ok) AS parts
    GROUP BY part
  LOOP
    PERFORM pg_notify('live_metrics', ids);
  END LOOP;
  RETURN NULL;
END $$;--> statement-breakpoint
CREATE TRIGGER outpost_results_made AFTER INSERT ON outpost_results
  REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION outpost_results_notify();--> statement-breakpoint
CREATE TRIGGER outpost_results_removed AFTER DELETE ON outpost_results
  REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION outpost_results_notify();--> statement-breakpoint
CREATE FUNCTION outpost_results_notify_changed() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  ids text;
BEGIN
  FOR ids IN
    SELECT string_agg(server_id::text, ',')
    FROM (
      SELECT new_rows.server_id, (row_number() OVER (ORDER BY new_rows.server_id) - 1) / 1000 AS part
      FROM new_rows JOIN old_rows USING (outpost_id, server_id)
      WHERE (old_rows.ok, old_rows.target_key) IS DISTINCT FROM (new_rows.ok, new_rows.target_key)
    ) AS changed
    GROUP BY part
  LOOP
    PERFORM pg_notify('live_metrics', ids);
  END LOOP;
  RETURN NULL;
END $$;--> statement-breakpoint
CREATE TRIGGER outpost_results_changed AFTER UPDATE ON outpost_results
  REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows
  FOR EACH STATEMENT EXECUTE FUNCTION outpost_results_notify_changed();--> statement-breakpoint

------------------------------------------------------------------------------------------------------------------------
-- Notifications

CREATE TABLE notification_events (
  event_id bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY,
  kind text NOT NULL,
  server_id integer,
  game_id integer,
  subject_id text,
  facts jsonb DEFAULT '{}'::jsonb NOT NULL,
  dedupe_key text NOT NULL,
  telling_key text,
  happened_at timestamp with time zone DEFAULT now() NOT NULL,
  not_before timestamp with time zone DEFAULT now() NOT NULL,
  expires_at timestamp with time zone NOT NULL,
  fanned_out_at timestamp with time zone,
  outcome text,
  CONSTRAINT notification_events_dedupe_key_unique UNIQUE (dedupe_key),
  CONSTRAINT notification_events_server_id_gameserver_server_id_fk FOREIGN KEY (server_id) REFERENCES gameserver (server_id) ON DELETE CASCADE,
  CONSTRAINT notification_events_game_id_games_game_id_fk FOREIGN KEY (game_id) REFERENCES games (game_id) ON DELETE CASCADE,
  CONSTRAINT notification_events_outcome CHECK (outcome in ('told', 'untrue', 'expired'))
);--> statement-breakpoint
CREATE INDEX notification_events_open ON notification_events (not_before) WHERE fanned_out_at is null;--> statement-breakpoint
CREATE INDEX notification_events_age ON notification_events (happened_at);--> statement-breakpoint
CREATE INDEX notification_events_of_server ON notification_events (server_id, kind);--> statement-breakpoint
CREATE INDEX notification_events_of_game ON notification_events (game_id);--> statement-breakpoint
-- The collector's statement inserts none most of the time, and sends nothing then.
CREATE FUNCTION notification_events_notify() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF EXISTS (SELECT FROM added) THEN
    PERFORM pg_notify('notifications', '');
  END IF;
  RETURN NULL;
END $$;--> statement-breakpoint
CREATE TRIGGER notification_events_notify AFTER INSERT ON notification_events
  REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION notification_events_notify();--> statement-breakpoint

CREATE TABLE notification_targets (
  target_id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  kind text NOT NULL,
  user_id uuid,
  name text,
  address_hash text NOT NULL,
  address_sealed text,
  last4 text DEFAULT '' NOT NULL,
  locale text DEFAULT 'en' NOT NULL,
  created_from text,
  created_at timestamp with time zone DEFAULT now() NOT NULL,
  last_seen_at timestamp with time zone DEFAULT now() NOT NULL,
  not_before timestamp with time zone,
  failing_since timestamp with time zone,
  dead_at timestamp with time zone,
  last_error text,
  CONSTRAINT notification_targets_address_hash_unique UNIQUE (address_hash),
  CONSTRAINT notification_targets_user_id_users_user_id_fk FOREIGN KEY (user_id) REFERENCES users (user_id) ON DELETE CASCADE,
  CONSTRAINT notification_targets_kind CHECK (kind in ('push', 'mail', 'discord', 'webhook')),
  CONSTRAINT notification_targets_locale CHECK (locale in ('en', 'de'))
);--> statement-breakpoint
CREATE INDEX notification_targets_of_user ON notification_targets (user_id);--> statement-breakpoint
CREATE INDEX notification_targets_from ON notification_targets (created_from) WHERE created_from is not null;--> statement-breakpoint
CREATE INDEX notification_targets_unseen ON notification_targets (last_seen_at);--> statement-breakpoint

CREATE TABLE notification_rules (
  rule_id integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY,
  kinds text[] NOT NULL,
  server_id integer,
  game_id integer,
  with_hidden boolean DEFAULT false NOT NULL,
  target_id uuid,
  after_s integer DEFAULT 0 NOT NULL,
  enabled boolean DEFAULT true NOT NULL,
  created_at timestamp with time zone DEFAULT now() NOT NULL,
  CONSTRAINT notification_rules_server_id_gameserver_server_id_fk FOREIGN KEY (server_id) REFERENCES gameserver (server_id) ON DELETE CASCADE,
  CONSTRAINT notification_rules_game_id_games_game_id_fk FOREIGN KEY (game_id) REFERENCES games (game_id) ON DELETE CASCADE,
  CONSTRAINT notification_rules_target_id_notification_targets_target_id_fk FOREIGN KEY (target_id) REFERENCES notification_targets (target_id) ON DELETE CASCADE,
  CONSTRAINT notification_rules_about CHECK (num_nonnulls(server_id, game_id) <= 1),
  CONSTRAINT notification_rules_kinds CHECK (cardinality(kinds) > 0),
  CONSTRAINT notification_rules_after CHECK (after_s between 0 and 3600)
);--> statement-breakpoint
CREATE INDEX notification_rules_of_server ON notification_rules (server_id);--> statement-breakpoint
CREATE INDEX notification_rules_of_game ON notification_rules (game_id);--> statement-breakpoint
CREATE INDEX notification_rules_of_target ON notification_rules (target_id);--> statement-breakpoint

CREATE TABLE notification_preferences (
  user_id uuid PRIMARY KEY,
  mail_on boolean DEFAULT true NOT NULL,
  quiet_from smallint,
  quiet_to smallint,
  time_zone text DEFAULT 'UTC' NOT NULL,
  digest text DEFAULT 'none' NOT NULL,
  digest_of date,
  CONSTRAINT notification_preferences_user_id_users_user_id_fk FOREIGN KEY (user_id) REFERENCES users (user_id) ON DELETE CASCADE,
  CONSTRAINT notification_preferences_digest CHECK (digest in ('none', 'daily')),
  CONSTRAINT notification_preferences_quiet CHECK ((quiet_from is null) = (quiet_to is null) and coalesce(quiet_from, 0) between 0 and 1439 and coalesce(quiet_to, 0) between 0 and 1439)
);--> statement-breakpoint

CREATE TABLE notification_watches (
  server_id integer NOT NULL,
  kind text NOT NULL,
  threshold integer NOT NULL,
  armed boolean NOT NULL,
  fired_at timestamp with time zone,
  CONSTRAINT notification_watches_server_id_kind_threshold_pk PRIMARY KEY (server_id, kind, threshold),
  CONSTRAINT notification_watches_server_id_gameserver_server_id_fk FOREIGN KEY (server_id) REFERENCES gameserver (server_id) ON DELETE CASCADE,
  CONSTRAINT notification_watches_kind CHECK (kind in ('seat_free', 'server_full', 'players_reached'))
);--> statement-breakpoint

CREATE TABLE follows (
  follow_id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  target_id uuid NOT NULL,
  server_id integer,
  game_id integer,
  kind text NOT NULL,
  threshold integer,
  created_at timestamp with time zone DEFAULT now() NOT NULL,
  CONSTRAINT follows_once UNIQUE NULLS NOT DISTINCT (target_id, server_id, game_id, kind, threshold),
  CONSTRAINT follows_target_id_notification_targets_target_id_fk FOREIGN KEY (target_id) REFERENCES notification_targets (target_id) ON DELETE CASCADE,
  CONSTRAINT follows_server_id_gameserver_server_id_fk FOREIGN KEY (server_id) REFERENCES gameserver (server_id) ON DELETE CASCADE,
  CONSTRAINT follows_game_id_games_game_id_fk FOREIGN KEY (game_id) REFERENCES games (game_id) ON DELETE CASCADE,
  CONSTRAINT follows_kind CHECK (kind in ('server_up', 'seat_free', 'players_reached', 'plan_soon', 'news', 'server_down')),
  CONSTRAINT follows_about CHECK (num_nonnulls(server_id, game_id) <= 1),
  CONSTRAINT follows_threshold CHECK ((threshold is not null) = (kind = 'players_reached') and coalesce(threshold, 1) between 1 and 100000)
);--> statement-breakpoint
CREATE INDEX follows_of_server ON follows (server_id, kind);--> statement-breakpoint
CREATE INDEX follows_of_game ON follows (game_id, kind);--> statement-breakpoint

CREATE TABLE notification_deliveries (
  delivery_id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  event_id bigint,
  target_id uuid,
  channel text NOT NULL,
  payload jsonb,
  mail_to text,
  reply_to text,
  locale text,
  template text,
  dedupe_key text DEFAULT gen_random_uuid()::text NOT NULL,
  state text DEFAULT 'waiting' NOT NULL,
  attempts integer DEFAULT 0 NOT NULL,
  next_attempt_at timestamp with time zone DEFAULT now(),
  expires_at timestamp with time zone,
  sent_at timestamp with time zone,
  last_error text,
  answer text,
  created_at timestamp with time zone DEFAULT now() NOT NULL,
  by_rule boolean DEFAULT false NOT NULL,
  CONSTRAINT notification_deliveries_dedupe_key_unique UNIQUE (dedupe_key),
  CONSTRAINT notification_deliveries_event_id_notification_events_event_id_f FOREIGN KEY (event_id) REFERENCES notification_events (event_id) ON DELETE CASCADE,
  CONSTRAINT notification_deliveries_target_id_notification_targets_target_i FOREIGN KEY (target_id) REFERENCES notification_targets (target_id) ON DELETE CASCADE,
  CONSTRAINT notification_deliveries_channel CHECK (channel in ('push', 'mail', 'discord', 'webhook')),
  CONSTRAINT notification_deliveries_state CHECK (state in ('waiting', 'held', 'sending', 'sent', 'failed', 'expired', 'untrue', 'doubtful', 'dead')),
  CONSTRAINT notification_deliveries_locale CHECK (locale in ('en', 'de')),
  CONSTRAINT notification_deliveries_to CHECK (target_id is not null or (channel = 'mail' and mail_to is not null and template is not null and locale is not null))
);--> statement-breakpoint
CREATE INDEX notification_deliveries_due ON notification_deliveries (channel, next_attempt_at) WHERE next_attempt_at is not null;--> statement-breakpoint
CREATE INDEX notification_deliveries_of_event ON notification_deliveries (event_id);--> statement-breakpoint
CREATE INDEX notification_deliveries_of_target ON notification_deliveries (target_id, created_at);--> statement-breakpoint
CREATE INDEX notification_deliveries_age ON notification_deliveries (created_at);--> statement-breakpoint
CREATE INDEX notification_deliveries_mails ON notification_deliveries (created_at) WHERE template is not null;--> statement-breakpoint
CREATE INDEX notification_deliveries_to ON notification_deliveries (lower(mail_to)) WHERE mail_to is not null;--> statement-breakpoint
CREATE INDEX notification_deliveries_answer_to ON notification_deliveries (lower(reply_to)) WHERE reply_to is not null;--> statement-breakpoint
CREATE FUNCTION notification_deliveries_notify() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF EXISTS (SELECT FROM added) THEN
    PERFORM pg_notify('deliveries', '');
  END IF;
  RETURN NULL;
END $$;--> statement-breakpoint
CREATE TRIGGER notification_deliveries_notify AFTER INSERT ON notification_deliveries
  REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION notification_deliveries_notify();--> statement-breakpoint

CREATE TABLE push_keys (
  is_site boolean PRIMARY KEY DEFAULT true,
  public_key text NOT NULL,
  private_key_sealed text NOT NULL,
  created_at timestamp with time zone DEFAULT now() NOT NULL,
  CONSTRAINT push_keys_one_row CHECK (is_site)
);--> statement-breakpoint

CREATE TABLE push_limits (
  host text PRIMARY KEY,
  resets_at timestamp with time zone NOT NULL
);--> statement-breakpoint

CREATE TABLE discord_cards (
  card_id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  target_id uuid NOT NULL,
  kind text NOT NULL,
  game_id integer,
  server_id integer,
  locale text NOT NULL,
  state text DEFAULT 'waiting' NOT NULL,
  message_id text,
  content_hash text,
  shown_at timestamp with time zone,
  remade_at timestamp with time zone,
  next_at timestamp with time zone DEFAULT now() NOT NULL,
  claimed_until timestamp with time zone,
  failures integer DEFAULT 0 NOT NULL,
  last_error text,
  created_at timestamp with time zone DEFAULT now() NOT NULL,
  CONSTRAINT discord_cards_target_id_notification_targets_target_id_fk FOREIGN KEY (target_id) REFERENCES notification_targets (target_id) ON DELETE CASCADE,
  CONSTRAINT discord_cards_game_id_games_game_id_fk FOREIGN KEY (game_id) REFERENCES games (game_id) ON DELETE SET NULL,
  CONSTRAINT discord_cards_server_id_gameserver_server_id_fk FOREIGN KEY (server_id) REFERENCES gameserver (server_id) ON DELETE SET NULL,
  CONSTRAINT discord_cards_kind CHECK (kind in ('site', 'game', 'server')),
  CONSTRAINT discord_cards_state CHECK (state in ('waiting', 'making', 'shown', 'doubtful', 'removed', 'ending')),
  CONSTRAINT discord_cards_locale CHECK (locale in ('en', 'de')),
  CONSTRAINT discord_cards_shown CHECK (state <> 'shown' or message_id is not null)
);--> statement-breakpoint
CREATE UNIQUE INDEX discord_cards_site ON discord_cards (target_id) WHERE kind = 'site';--> statement-breakpoint
CREATE UNIQUE INDEX discord_cards_game ON discord_cards (target_id, game_id);--> statement-breakpoint
CREATE UNIQUE INDEX discord_cards_server ON discord_cards (target_id, server_id);--> statement-breakpoint
CREATE INDEX discord_cards_of_game ON discord_cards (game_id);--> statement-breakpoint
CREATE INDEX discord_cards_of_server ON discord_cards (server_id);--> statement-breakpoint

CREATE TABLE discord_limits (
  webhook_id text,
  route text,
  bucket text,
  most integer,
  remaining integer DEFAULT 1 NOT NULL,
  resets_at timestamp with time zone DEFAULT now() NOT NULL,
  CONSTRAINT discord_limits_of UNIQUE NULLS NOT DISTINCT (webhook_id, route)
);--> statement-breakpoint

CREATE TABLE mails (
  mail_id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  mail_to text NOT NULL,
  reply_to text,
  locale text NOT NULL,
  template text NOT NULL,
  data jsonb,
  attempts integer DEFAULT 0 NOT NULL,
  next_attempt_at timestamp with time zone DEFAULT now(),
  useful_until timestamp with time zone,
  sent_at timestamp with time zone,
  given_up_at timestamp with time zone,
  last_error text,
  created_at timestamp with time zone DEFAULT now() NOT NULL,
  CONSTRAINT mails_locale CHECK (locale in ('en', 'de'))
);--> statement-breakpoint
CREATE INDEX mails_due ON mails (next_attempt_at) WHERE next_attempt_at is not null;--> statement-breakpoint
CREATE INDEX mails_age ON mails (created_at);--> statement-breakpoint
CREATE FUNCTION mails_notify() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM pg_notify('mails', '');
  RETURN NULL;
END $$;--> statement-breakpoint
CREATE TRIGGER mails_notify AFTER INSERT ON mails
  FOR EACH STATEMENT EXECUTE FUNCTION mails_notify();--> statement-breakpoint

------------------------------------------------------------------------------------------------------------------------
-- News, plans, incidents and messages

CREATE TABLE news (
  news_id integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY,
  slug text NOT NULL,
  title jsonb NOT NULL,
  text jsonb DEFAULT '{}'::jsonb NOT NULL,
  scope text DEFAULT 'site' NOT NULL,
  published boolean DEFAULT false NOT NULL,
  pinned boolean DEFAULT false NOT NULL,
  starts_at timestamp with time zone,
  ends_at timestamp with time zone,
  told_at timestamp with time zone,
  author_id uuid,
  created_at timestamp with time zone DEFAULT now() NOT NULL,
  updated_at timestamp with time zone DEFAULT now() NOT NULL,
  CONSTRAINT news_slug_unique UNIQUE (slug),
  CONSTRAINT news_author_id_users_user_id_fk FOREIGN KEY (author_id) REFERENCES users (user_id) ON DELETE SET NULL,
  CONSTRAINT news_scope CHECK (scope in ('site', 'some')),
  CONSTRAINT news_published_since CHECK (not published or starts_at is not null),
  CONSTRAINT news_ends_later CHECK (ends_at > starts_at),
  CONSTRAINT news_has_title CHECK (title <> '{}'::jsonb)
);--> statement-breakpoint
CREATE INDEX news_newest ON news (starts_at, news_id);--> statement-breakpoint
CREATE INDEX news_of_author ON news (author_id);--> statement-breakpoint
CREATE INDEX news_to_tell ON news (starts_at) WHERE published and told_at is null;--> statement-breakpoint
CREATE TRIGGER news_notify AFTER INSERT OR UPDATE OR DELETE OR TRUNCATE ON news
  FOR EACH STATEMENT EXECUTE FUNCTION catalog_notify();--> statement-breakpoint

CREATE TABLE news_about (
  about_id integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY,
  news_id integer NOT NULL,
  game_id integer,
  server_id integer,
  CONSTRAINT news_about_once UNIQUE NULLS NOT DISTINCT (news_id, game_id, server_id),
  CONSTRAINT news_about_news_id_news_news_id_fk FOREIGN KEY (news_id) REFERENCES news (news_id) ON DELETE CASCADE,
  CONSTRAINT news_about_game_id_games_game_id_fk FOREIGN KEY (game_id) REFERENCES games (game_id) ON DELETE CASCADE,
  CONSTRAINT news_about_server_id_gameserver_server_id_fk FOREIGN KEY (server_id) REFERENCES gameserver (server_id) ON DELETE CASCADE,
  CONSTRAINT news_about_one CHECK (num_nonnulls(game_id, server_id) = 1)
);--> statement-breakpoint
CREATE INDEX news_about_game ON news_about (game_id);--> statement-breakpoint
CREATE INDEX news_about_server ON news_about (server_id);--> statement-breakpoint
CREATE TRIGGER news_about_notify AFTER INSERT OR UPDATE OR DELETE OR TRUNCATE ON news_about
  FOR EACH STATEMENT EXECUTE FUNCTION catalog_notify();--> statement-breakpoint

CREATE TABLE plans (
  plan_id integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY,
  kind text NOT NULL,
  server_id integer,
  game_id integer,
  title jsonb,
  first_local text NOT NULL,
  time_zone text NOT NULL,
  repeats text NOT NULL,
  minutes integer NOT NULL,
  due_at timestamp with time zone DEFAULT now(),
  ended_at timestamp with time zone,
  created_by uuid,
  created_at timestamp with time zone DEFAULT now() NOT NULL,
  updated_at timestamp with time zone DEFAULT now() NOT NULL,
  CONSTRAINT plans_server_id_gameserver_server_id_fk FOREIGN KEY (server_id) REFERENCES gameserver (server_id) ON DELETE CASCADE,
  CONSTRAINT plans_game_id_games_game_id_fk FOREIGN KEY (game_id) REFERENCES games (game_id) ON DELETE CASCADE,
  CONSTRAINT plans_created_by_users_user_id_fk FOREIGN KEY (created_by) REFERENCES users (user_id) ON DELETE SET NULL,
  CONSTRAINT plans_kind CHECK (kind in ('restart', 'maintenance')),
  CONSTRAINT plans_repeats CHECK (repeats in ('none', 'daily', 'weekly')),
  CONSTRAINT plans_about CHECK (server_id is null or game_id is null),
  CONSTRAINT plans_first_local CHECK (first_local ~ '^20[0-9]{2}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}$'),
  CONSTRAINT plans_minutes CHECK (minutes between 1 and 10080)
);--> statement-breakpoint
CREATE INDEX plans_due ON plans (due_at);--> statement-breakpoint
CREATE INDEX plans_of_server ON plans (server_id);--> statement-breakpoint
CREATE INDEX plans_of_game ON plans (game_id);--> statement-breakpoint
CREATE INDEX plans_of_user ON plans (created_by);--> statement-breakpoint
CREATE TRIGGER plans_notify AFTER INSERT OR DELETE OR TRUNCATE
  OR UPDATE OF kind, server_id, game_id, title, first_local, time_zone, repeats, minutes, ended_at ON plans
  FOR EACH STATEMENT EXECUTE FUNCTION catalog_notify();--> statement-breakpoint

CREATE TABLE plan_occurrences (
  plan_id integer NOT NULL,
  starts_at timestamp with time zone NOT NULL,
  ends_at timestamp with time zone NOT NULL,
  told_at timestamp with time zone,
  began_at timestamp with time zone,
  over_at timestamp with time zone,
  CONSTRAINT plan_occurrences_plan_id_starts_at_pk PRIMARY KEY (plan_id, starts_at),
  CONSTRAINT plan_occurrences_plan_id_plans_plan_id_fk FOREIGN KEY (plan_id) REFERENCES plans (plan_id) ON DELETE CASCADE,
  CONSTRAINT plan_occurrences_times CHECK (starts_at <= ends_at)
);--> statement-breakpoint
CREATE INDEX plan_occurrences_to_do ON plan_occurrences (starts_at) WHERE over_at is null;--> statement-breakpoint
CREATE TRIGGER plan_occurrences_notify AFTER INSERT OR DELETE OR TRUNCATE
  OR UPDATE OF starts_at, ends_at, began_at, over_at ON plan_occurrences
  FOR EACH STATEMENT EXECUTE FUNCTION catalog_notify();--> statement-breakpoint

CREATE TABLE incidents (
  incident_id integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY,
  about text NOT NULL,
  game_id integer,
  title jsonb,
  opened_at timestamp with time zone DEFAULT now() NOT NULL,
  by_outage boolean DEFAULT false NOT NULL,
  published_at timestamp with time zone,
  closed_at timestamp with time zone,
  created_by uuid,
  created_at timestamp with time zone DEFAULT now() NOT NULL,
  updated_at timestamp with time zone DEFAULT now() NOT NULL,
  CONSTRAINT incidents_game_id_games_game_id_fk FOREIGN KEY (game_id) REFERENCES games (game_id) ON DELETE CASCADE,
  CONSTRAINT incidents_created_by_users_user_id_fk FOREIGN KEY (created_by) REFERENCES users (user_id) ON DELETE SET NULL,
  CONSTRAINT incidents_about CHECK (about in ('site', 'game', 'servers')),
  CONSTRAINT incidents_game CHECK ((about = 'game') = (game_id is not null)),
  CONSTRAINT incidents_words CHECK (published_at is null or title is not null)
);--> statement-breakpoint
CREATE INDEX incidents_open ON incidents (opened_at) WHERE closed_at is null;--> statement-breakpoint
CREATE INDEX incidents_of_game ON incidents (game_id);--> statement-breakpoint
CREATE INDEX incidents_of_user ON incidents (created_by);--> statement-breakpoint
CREATE TRIGGER incidents_notify AFTER INSERT OR UPDATE OR DELETE OR TRUNCATE ON incidents
  FOR EACH STATEMENT EXECUTE FUNCTION catalog_notify();--> statement-breakpoint

CREATE TABLE incident_servers (
  incident_id integer NOT NULL,
  server_id integer NOT NULL,
  down_since timestamp with time zone,
  back_at timestamp with time zone,
  CONSTRAINT incident_servers_incident_id_server_id_pk PRIMARY KEY (incident_id, server_id),
  CONSTRAINT incident_servers_incident_id_incidents_incident_id_fk FOREIGN KEY (incident_id) REFERENCES incidents (incident_id) ON DELETE CASCADE,
  CONSTRAINT incident_servers_server_id_gameserver_server_id_fk FOREIGN KEY (server_id) REFERENCES gameserver (server_id) ON DELETE CASCADE
);--> statement-breakpoint
CREATE INDEX incident_servers_of_server ON incident_servers (server_id);--> statement-breakpoint
CREATE TRIGGER incident_servers_notify AFTER INSERT OR UPDATE OR DELETE OR TRUNCATE ON incident_servers
  FOR EACH STATEMENT EXECUTE FUNCTION catalog_notify();--> statement-breakpoint

CREATE TABLE incident_updates (
  update_id bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY,
  incident_id integer NOT NULL,
  text jsonb NOT NULL,
  created_by uuid,
  created_at timestamp with time zone DEFAULT now() NOT NULL,
  CONSTRAINT incident_updates_incident_id_incidents_incident_id_fk FOREIGN KEY (incident_id) REFERENCES incidents (incident_id) ON DELETE CASCADE,
  CONSTRAINT incident_updates_created_by_users_user_id_fk FOREIGN KEY (created_by) REFERENCES users (user_id) ON DELETE SET NULL
);--> statement-breakpoint
CREATE INDEX incident_updates_of_incident ON incident_updates (incident_id, created_at);--> statement-breakpoint
CREATE INDEX incident_updates_of_user ON incident_updates (created_by);--> statement-breakpoint
CREATE TRIGGER incident_updates_notify AFTER INSERT OR UPDATE OR DELETE OR TRUNCATE ON incident_updates
  FOR EACH STATEMENT EXECUTE FUNCTION catalog_notify();--> statement-breakpoint

CREATE TABLE contacts (
  contact_id integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY,
  name text NOT NULL,
  email text NOT NULL,
  message text NOT NULL,
  locale text NOT NULL,
  request_kind text,
  request_region text,
  created_at timestamp with time zone DEFAULT now() NOT NULL,
  read_at timestamp with time zone,
  answered_at timestamp with time zone,
  archived_at timestamp with time zone,
  answers jsonb DEFAULT '[]'::jsonb NOT NULL,
  extended_at timestamp with time zone,
  extension_reason text,
  CONSTRAINT contacts_extension CHECK ((extended_at is null) = (extension_reason is null)),
  CONSTRAINT contacts_locale CHECK (locale in ('en', 'de')),
  CONSTRAINT contacts_request CHECK ((request_kind is null) = (request_region is null)
        and request_kind in ('access', 'correct', 'delete', 'copy', 'opt_out', 'appeal')
        and request_region in ('europe', 'colorado', 'connecticut', 'virginia', 'us_other', 'elsewhere')),
  CONSTRAINT contacts_lengths CHECK (char_length(name) between 1 and 80 and char_length(email) between 3 and 254
        and char_length(message) between 1 and 5000)
);--> statement-breakpoint
CREATE INDEX contacts_newest ON contacts (created_at);--> statement-breakpoint
CREATE INDEX contacts_open ON contacts (created_at, contact_id) WHERE answered_at is null and archived_at is null;--> statement-breakpoint
CREATE INDEX contacts_requests ON contacts (created_at, contact_id) WHERE request_kind is not null and answered_at is null and archived_at is null;--> statement-breakpoint
CREATE INDEX contacts_answered ON contacts (created_at, contact_id) WHERE answered_at is not null and archived_at is null;--> statement-breakpoint
CREATE INDEX contacts_archived ON contacts (created_at, contact_id) WHERE archived_at is not null;--> statement-breakpoint
CREATE INDEX contacts_unread ON contacts (contact_id) WHERE read_at is null and archived_at is null;--> statement-breakpoint

------------------------------------------------------------------------------------------------------------------------
-- Search within names, addresses, messages and the audit log. domain/ uses just these expressions. Where the database may not have
-- the extension, lists are read whole: slower, with the same result.

DO $$
BEGIN
  CREATE EXTENSION IF NOT EXISTS pg_trgm;
  CREATE INDEX users_email_parts ON users USING gin (email gin_trgm_ops);
  CREATE INDEX profiles_nick_name_parts ON profiles USING gin (user_nick_name gin_trgm_ops);
  CREATE INDEX contacts_parts ON contacts USING gin ((name || E'\n' || email || E'\n' || message) gin_trgm_ops);
  CREATE INDEX audit_events_parts ON audit_events USING gin
    ((coalesce(subject_id, '') || E'\n' || coalesce(ip, '') || E'\n' || coalesce(details::text, '')) gin_trgm_ops);
EXCEPTION WHEN insufficient_privilege OR undefined_file OR feature_not_supported OR undefined_object THEN
  RAISE NOTICE 'pg_trgm is not to be had: members, messages and the audit log are searched without an index';
END $$;
