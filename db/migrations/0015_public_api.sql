CREATE TABLE "api_keys" (
	"key_id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "api_keys_key_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"user_id" uuid NOT NULL,
	"key_hash" text NOT NULL,
	"note" text NOT NULL,
	"scopes" text[] NOT NULL,
	"expires_at" timestamp with time zone NOT NULL,
	"last_used_at" timestamp with time zone,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "api_keys_key_hash_unique" UNIQUE("key_hash"),
	CONSTRAINT "api_keys_scopes" CHECK ("api_keys"."scopes" <@ array['admin:read', 'games:write', 'gameservers:write'] and cardinality("api_keys"."scopes") > 0)
);
--> statement-breakpoint
CREATE TABLE "program_sessions" (
	"session_id" uuid PRIMARY KEY NOT NULL,
	"user_id" uuid NOT NULL,
	"program" text NOT NULL,
	"access_token_hash" text NOT NULL,
	"access_expires_at" timestamp with time zone NOT NULL,
	"refresh_family_hash" text NOT NULL,
	"refresh_token_hash" text NOT NULL,
	CONSTRAINT "program_sessions_access_token_hash_unique" UNIQUE("access_token_hash"),
	CONSTRAINT "program_sessions_refresh_family_hash_unique" UNIQUE("refresh_family_hash")
);
--> statement-breakpoint
ALTER TABLE "api_keys" ADD CONSTRAINT "api_keys_user_id_users_user_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("user_id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "program_sessions" ADD CONSTRAINT "program_sessions_session_id_sessions_session_id_fk" FOREIGN KEY ("session_id") REFERENCES "public"."sessions"("session_id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "program_sessions" ADD CONSTRAINT "program_sessions_user_id_users_user_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("user_id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "api_keys_of_user" ON "api_keys" USING btree ("user_id");--> statement-breakpoint
CREATE INDEX "api_keys_ended" ON "api_keys" USING btree ("expires_at");--> statement-breakpoint
CREATE INDEX "program_sessions_of_user" ON "program_sessions" USING btree ("user_id");
--> statement-breakpoint
-- A key dies with its admin's role, with a ban and with the end of the account, in the same transaction, whoever does it;
-- it does not come back with them.
CREATE FUNCTION api_keys_follow_user() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  DELETE FROM api_keys WHERE user_id = NEW.user_id;
  RETURN NULL;
END $$;
--> statement-breakpoint
CREATE TRIGGER api_keys_follow_role AFTER UPDATE ON roles
  FOR EACH ROW WHEN (NEW.role <> 'admin') EXECUTE FUNCTION api_keys_follow_user();
--> statement-breakpoint
CREATE TRIGGER api_keys_follow_account AFTER UPDATE ON users
  FOR EACH ROW WHEN (NEW.deactivated_at IS NOT NULL OR NEW.banned_until > now()) EXECUTE FUNCTION api_keys_follow_user();
