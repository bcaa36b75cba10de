-- Names are of the moment: no write-ahead log, and so no backup, holds them, and a crash empties the table. They go with the
-- act that turns a list off, hides or moves a game server, or sends it to maintenance.
ALTER TABLE "gameserver_player_lists" SET UNLOGGED;
--> statement-breakpoint
CREATE FUNCTION gameserver_forget_players() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  DELETE FROM gameserver_player_lists WHERE server_id = NEW.server_id;
  RETURN NULL;
END $$;
--> statement-breakpoint
CREATE TRIGGER gameserver_forget_players AFTER UPDATE ON gameserver
  FOR EACH ROW WHEN (
    (OLD.host, OLD.game_port, OLD.query_port, OLD.adapter, OLD.lifecycle, OLD.visibility, OLD.player_list)
    IS DISTINCT FROM (NEW.host, NEW.game_port, NEW.query_port, NEW.adapter, NEW.lifecycle, NEW.visibility, NEW.player_list)
  ) EXECUTE FUNCTION gameserver_forget_players();
