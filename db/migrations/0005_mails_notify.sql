-- A queued mail wakes the senders in the moment of its commit. Channel `mails`, without payload: the rows are the truth.
CREATE FUNCTION mails_notify() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM pg_notify('mails', '');
  RETURN NULL;
END $$;
--> statement-breakpoint
CREATE TRIGGER mails_notify AFTER INSERT ON mails
  FOR EACH STATEMENT EXECUTE FUNCTION mails_notify();
