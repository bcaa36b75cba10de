-- The audit log takes rows and gives none back: changes are refused; a row goes when it is a year old, or with the account
-- that is being erased (the transaction that erases sets spawnpoint.erasing to its user id).
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
END $$;
--> statement-breakpoint
CREATE TRIGGER audit_events_guard BEFORE UPDATE OR DELETE ON audit_events
  FOR EACH ROW EXECUTE FUNCTION audit_events_guard();
--> statement-breakpoint
CREATE TRIGGER audit_events_guard_all BEFORE TRUNCATE ON audit_events
  FOR EACH STATEMENT EXECUTE FUNCTION audit_events_guard();
--> statement-breakpoint
-- A session that ends is told to every web process, so that its open streams end with it. Channel `sessions`: session ids.
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
END $$;
--> statement-breakpoint
CREATE TRIGGER sessions_notify AFTER DELETE ON sessions
  REFERENCING OLD TABLE AS old_rows
  FOR EACH STATEMENT EXECUTE FUNCTION sessions_notify();
--> statement-breakpoint
-- Counted tries are written on every sign-in and are worth nothing after a crash.
ALTER TABLE rate_limits SET UNLOGGED;
