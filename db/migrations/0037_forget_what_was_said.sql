-- What another machine said of itself says nothing of this one, and what nobody wants to show is not kept. Whoever is to be
-- shown (again) is asked at its next turn.
CREATE FUNCTION gameserver_forget_details() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  DELETE FROM gameserver_details WHERE server_id = NEW.server_id;
  UPDATE gameserver_live_metrics SET details_asked_at = NULL
  WHERE server_id = NEW.server_id AND details_asked_at IS NOT NULL;
  RETURN NULL;
END $$;
--> statement-breakpoint
CREATE TRIGGER gameserver_forget_details AFTER UPDATE ON gameserver
  FOR EACH ROW WHEN (
    (OLD.host, OLD.game_port, OLD.query_port, OLD.adapter, OLD.adapter_options, OLD.show_details)
    IS DISTINCT FROM (NEW.host, NEW.game_port, NEW.query_port, NEW.adapter, NEW.adapter_options, NEW.show_details)
  ) EXECUTE FUNCTION gameserver_forget_details();
