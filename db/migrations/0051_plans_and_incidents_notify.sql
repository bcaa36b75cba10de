-- Pages are made of plans and incidents: every change of what they show is told to the web processes.
CREATE TRIGGER plans_notify AFTER INSERT OR DELETE OR TRUNCATE
  OR UPDATE OF kind, server_id, game_id, title, first_local, time_zone, repeats, minutes, ended_at ON plans
  FOR EACH STATEMENT EXECUTE FUNCTION catalog_notify();
--> statement-breakpoint
CREATE TRIGGER plan_occurrences_notify AFTER INSERT OR DELETE OR TRUNCATE
  OR UPDATE OF starts_at, ends_at, began_at, over_at ON plan_occurrences
  FOR EACH STATEMENT EXECUTE FUNCTION catalog_notify();
--> statement-breakpoint
CREATE TRIGGER incidents_notify AFTER INSERT OR UPDATE OR DELETE OR TRUNCATE ON incidents
  FOR EACH STATEMENT EXECUTE FUNCTION catalog_notify();
--> statement-breakpoint
CREATE TRIGGER incident_servers_notify AFTER INSERT OR UPDATE OR DELETE OR TRUNCATE ON incident_servers
  FOR EACH STATEMENT EXECUTE FUNCTION catalog_notify();
--> statement-breakpoint
CREATE TRIGGER incident_updates_notify AFTER INSERT OR UPDATE OR DELETE OR TRUNCATE ON incident_updates
  FOR EACH STATEMENT EXECUTE FUNCTION catalog_notify();
