-- A planned window is neither up nor down, whoever begins and ends it: an admin, a program, or its own end.
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
END $$;
--> statement-breakpoint
CREATE TRIGGER gameserver_note_maintenance_made AFTER INSERT ON gameserver
  FOR EACH ROW WHEN (NEW.lifecycle = 'maintenance') EXECUTE FUNCTION gameserver_note_maintenance();
--> statement-breakpoint
CREATE TRIGGER gameserver_note_maintenance AFTER UPDATE ON gameserver
  FOR EACH ROW WHEN (OLD.lifecycle IS DISTINCT FROM NEW.lifecycle) EXECUTE FUNCTION gameserver_note_maintenance();
--> statement-breakpoint
-- gameserver_ask_anew forgets the status: from then on nobody can tell, and the history has to know since when. Before it, by
-- being a trigger BEFORE.
CREATE FUNCTION gameserver_note_forgotten() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO gameserver_status_event (server_id, from_status, to_status, changed_at, failures)
  SELECT server_id, status, 'unknown', now(), 0 FROM gameserver_live_metrics
  WHERE server_id = NEW.server_id AND status <> 'unknown';
  RETURN NEW;
END $$;
--> statement-breakpoint
CREATE TRIGGER gameserver_note_forgotten BEFORE UPDATE ON gameserver
  FOR EACH ROW WHEN (
    (OLD.host, OLD.game_port, OLD.query_port, OLD.adapter, OLD.adapter_options, OLD.lifecycle)
    IS DISTINCT FROM (NEW.host, NEW.game_port, NEW.query_port, NEW.adapter, NEW.adapter_options, NEW.lifecycle)
  ) EXECUTE FUNCTION gameserver_note_forgotten();
--> statement-breakpoint
-- The windows of the past year are in the audit log: each begins with a change to "maintenance" and ends with the next change.
INSERT INTO gameserver_watch_gap (server_id, starts_at, ends_at, reason)
SELECT server_id, happened_at, ended_at, 'maintenance' FROM (
  SELECT subject_id, happened_at, details->'after'->>'lifecycle' AS lifecycle,
    lead(happened_at) OVER (PARTITION BY subject_id ORDER BY happened_at, event_id) AS ended_at
  FROM audit_events
  WHERE subject_type = 'gameserver' AND what IN ('gameserver-created', 'gameserver-updated')
    AND details->'after'->>'lifecycle' IS NOT NULL
) told JOIN gameserver ON gameserver.server_id::text = told.subject_id
WHERE told.lifecycle = 'maintenance' AND (ended_at IS NOT NULL OR gameserver.lifecycle = 'maintenance');
--> statement-breakpoint
INSERT INTO gameserver_watch_gap (server_id, starts_at, reason)
SELECT server_id, now(), 'maintenance' FROM gameserver WHERE lifecycle = 'maintenance' ON CONFLICT DO NOTHING;
