DROP INDEX "users_newest";--> statement-breakpoint
CREATE INDEX "contacts_open" ON "contacts" USING btree ("created_at","contact_id") WHERE "contacts"."answered_at" is null and "contacts"."archived_at" is null;--> statement-breakpoint
CREATE INDEX "contacts_requests" ON "contacts" USING btree ("created_at","contact_id") WHERE "contacts"."request_kind" is not null and "contacts"."answered_at" is null and "contacts"."archived_at" is null;--> statement-breakpoint
CREATE INDEX "contacts_answered" ON "contacts" USING btree ("created_at","contact_id") WHERE "contacts"."answered_at" is not null and "contacts"."archived_at" is null;--> statement-breakpoint
CREATE INDEX "contacts_archived" ON "contacts" USING btree ("created_at","contact_id") WHERE "contacts"."archived_at" is not null;--> statement-breakpoint
CREATE INDEX "users_newest" ON "users" USING btree ("created_at","user_id");--> statement-breakpoint
-- Searching within messages and the audit log, as in 0013. domain/contact-inbox.ts and domain/audit-log.ts ask for just
-- these expressions.
DO $$
BEGIN
  CREATE EXTENSION IF NOT EXISTS pg_trgm;
  CREATE INDEX contacts_parts ON contacts USING gin ((name || E'\n' || email || E'\n' || message) gin_trgm_ops);
  CREATE INDEX audit_events_parts ON audit_events USING gin
    ((coalesce(subject_id, '') || E'\n' || coalesce(ip, '') || E'\n' || coalesce(details::text, '')) gin_trgm_ops);
EXCEPTION WHEN insufficient_privilege OR undefined_file OR feature_not_supported OR undefined_object THEN
  RAISE NOTICE 'pg_trgm is not to be had: messages and the audit log are searched without an index';
END $$;
