CREATE INDEX "roles_of_few" ON "roles" USING btree ("role") WHERE "roles"."role" <> 'user';--> statement-breakpoint
CREATE INDEX "users_banned" ON "users" USING btree ("banned_until") WHERE "users"."banned_until" is not null;
--> statement-breakpoint
-- Searching within names and addresses of many members. Where the database may not have the extension, the lists are read
-- whole: slower, and the same.
DO $$
BEGIN
  CREATE EXTENSION IF NOT EXISTS pg_trgm;
  CREATE INDEX users_email_parts ON users USING gin (email gin_trgm_ops);
  CREATE INDEX profiles_nick_name_parts ON profiles USING gin (user_nick_name gin_trgm_ops);
EXCEPTION WHEN insufficient_privilege OR undefined_file OR feature_not_supported OR undefined_object THEN
  RAISE NOTICE 'pg_trgm is not to be had: members are searched without an index';
END $$;
