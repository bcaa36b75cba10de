-- Bots and the password flag are figures as the others: forgotten with the address that told them, and told when they change.
CREATE OR REPLACE FUNCTION gameserver_ask_anew() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE gameserver_live_metrics SET
    status = 'unknown', status_since = now(), user_online = NULL, bots_online = NULL, user_max_measured = NULL,
    version_measured = NULL, map = NULL, password_protected = NULL, failure = NULL, failures_in_row = 0, latency_ms = NULL,
    last_asked_at = NULL, last_answered_at = NULL, next_poll_at = now(), claimed_by = NULL, claimed_until = NULL
  WHERE server_id = NEW.server_id;
  RETURN NULL;
END $$;
--> statement-breakpoint
-- The setting is that of 0006: a function that is replaced forgets it.
CREATE OR REPLACE FUNCTION gameserver_live_metrics_notify() RETURNS trigger LANGUAGE plpgsql SET enable_nestloop = off AS $$
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
END $$;
