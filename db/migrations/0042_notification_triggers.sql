-- An event wakes those who make deliveries of it, in the moment of its commit. Without payload: the rows are the truth. The
-- collector's statement inserts none most of the time, and says nothing then.
CREATE FUNCTION notification_events_notify() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF EXISTS (SELECT FROM added) THEN
    PERFORM pg_notify('notifications', '');
  END IF;
  RETURN NULL;
END $$;
--> statement-breakpoint
CREATE TRIGGER notification_events_notify AFTER INSERT ON notification_events
  REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION notification_events_notify();
--> statement-breakpoint
-- A delivery wakes the senders.
CREATE FUNCTION notification_deliveries_notify() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF EXISTS (SELECT FROM added) THEN
    PERFORM pg_notify('deliveries', '');
  END IF;
  RETURN NULL;
END $$;
--> statement-breakpoint
CREATE TRIGGER notification_deliveries_notify AFTER INSERT ON notification_deliveries
  REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION notification_deliveries_notify();
