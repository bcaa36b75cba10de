-- What Postgres does by itself: a live row for each game server, "ask now" when an address changes, and NOTIFY in the
-- transaction of the change. Payloads are ids, at most 1,000 a notification (the limit is 8,000 bytes). Channels:
--   live_metrics  ids of game servers whose visible figures changed
--   catalog       the table in which something changed that is not a figure
--   collector     a collector began or ended holding results back

CREATE FUNCTION gameserver_make_live_row() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO gameserver_live_metrics (server_id) VALUES (NEW.server_id) ON CONFLICT DO NOTHING;
  RETURN NULL;
END $$;
--> statement-breakpoint
CREATE TRIGGER gameserver_make_live_row AFTER INSERT ON gameserver
  FOR EACH ROW EXECUTE FUNCTION gameserver_make_live_row();
--> statement-breakpoint
-- What was measured at another address says nothing of this one: forget it, and ask at once. Peaks stay.
CREATE FUNCTION gameserver_ask_anew() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE gameserver_live_metrics SET
    status = 'unknown', status_since = now(), user_online = NULL, user_max_measured = NULL, version_measured = NULL,
    map = NULL, failure = NULL, failures_in_row = 0, latency_ms = NULL, last_asked_at = NULL, last_answered_at = NULL,
    next_poll_at = now(), claimed_by = NULL, claimed_until = NULL
  WHERE server_id = NEW.server_id;
  RETURN NULL;
END $$;
--> statement-breakpoint
CREATE TRIGGER gameserver_ask_anew AFTER UPDATE ON gameserver
  FOR EACH ROW WHEN (
    (OLD.host, OLD.game_port, OLD.query_port, OLD.adapter, OLD.adapter_options, OLD.lifecycle)
    IS DISTINCT FROM (NEW.host, NEW.game_port, NEW.query_port, NEW.adapter, NEW.adapter_options, NEW.lifecycle)
  ) EXECUTE FUNCTION gameserver_ask_anew();
--> statement-breakpoint
CREATE FUNCTION gameserver_live_metrics_notify() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  ids text;
BEGIN
  FOR ids IN
    SELECT string_agg(server_id::text, ',')
    FROM (
      SELECT new_rows.server_id, (row_number() OVER (ORDER BY new_rows.server_id) - 1) / 1000 AS part
      FROM new_rows JOIN old_rows USING (server_id)
      WHERE (old_rows.status, old_rows.user_online, old_rows.user_max_measured, old_rows.user_peak, old_rows.user_peak_24h,
             old_rows.user_peak_7d, old_rows.version_measured, old_rows.map, old_rows.failure)
        IS DISTINCT FROM
            (new_rows.status, new_rows.user_online, new_rows.user_max_measured, new_rows.user_peak, new_rows.user_peak_24h,
             new_rows.user_peak_7d, new_rows.version_measured, new_rows.map, new_rows.failure)
    ) AS changed
    GROUP BY part
  LOOP
    PERFORM pg_notify('live_metrics', ids);
  END LOOP;
  RETURN NULL;
END $$;
--> statement-breakpoint
CREATE TRIGGER gameserver_live_metrics_notify AFTER UPDATE ON gameserver_live_metrics
  REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows
  FOR EACH STATEMENT EXECUTE FUNCTION gameserver_live_metrics_notify();
--> statement-breakpoint
CREATE FUNCTION catalog_notify() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM pg_notify('catalog', TG_TABLE_NAME);
  RETURN NULL;
END $$;
--> statement-breakpoint
CREATE TRIGGER games_notify AFTER INSERT OR UPDATE OR DELETE OR TRUNCATE ON games
  FOR EACH STATEMENT EXECUTE FUNCTION catalog_notify();
--> statement-breakpoint
CREATE TRIGGER gameserver_notify AFTER INSERT OR UPDATE OR DELETE OR TRUNCATE ON gameserver
  FOR EACH STATEMENT EXECUTE FUNCTION catalog_notify();
--> statement-breakpoint
CREATE TRIGGER site_settings_notify AFTER INSERT OR UPDATE OR DELETE OR TRUNCATE ON site_settings
  FOR EACH STATEMENT EXECUTE FUNCTION catalog_notify();
--> statement-breakpoint
CREATE FUNCTION collector_process_notify() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM pg_notify('collector', '');
  RETURN NULL;
END $$;
--> statement-breakpoint
CREATE TRIGGER collector_process_notify AFTER UPDATE ON collector_process
  FOR EACH ROW WHEN (OLD.delayed_since IS DISTINCT FROM NEW.delayed_since) EXECUTE FUNCTION collector_process_notify();
