CREATE TABLE "invitations" (
	"invitation_id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "invitations_invitation_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"code_hash" text NOT NULL,
	"note" text DEFAULT '' NOT NULL,
	"uses_left" integer DEFAULT 1 NOT NULL,
	"expires_at" timestamp with time zone NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "invitations_code_hash_unique" UNIQUE("code_hash"),
	CONSTRAINT "invitations_uses" CHECK ("invitations"."uses_left" between 0 and 1000)
);
--> statement-breakpoint
CREATE TABLE "ip_blocks" (
	"block_id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "ip_blocks_block_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"network" "cidr" NOT NULL,
	"reason" text NOT NULL,
	"blocked_until" timestamp with time zone NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "ip_blocks_network_unique" UNIQUE("network")
);
--> statement-breakpoint
ALTER TABLE "contacts" ADD COLUMN "archived_at" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "contacts" ADD COLUMN "answers" jsonb DEFAULT '[]'::jsonb NOT NULL;--> statement-breakpoint
ALTER TABLE "contacts" ADD COLUMN "extended_at" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "contacts" ADD COLUMN "extension_reason" text;--> statement-breakpoint
CREATE INDEX "invitations_ended" ON "invitations" USING btree ("expires_at");--> statement-breakpoint
CREATE INDEX "ip_blocks_ended" ON "ip_blocks" USING btree ("blocked_until");--> statement-breakpoint
CREATE INDEX "audit_events_of_kind" ON "audit_events" USING btree ("what","happened_at");--> statement-breakpoint
CREATE INDEX "contacts_unread" ON "contacts" USING btree ("contact_id") WHERE "contacts"."read_at" is null and "contacts"."archived_at" is null;--> statement-breakpoint
CREATE INDEX "users_newest" ON "users" USING btree ("created_at");--> statement-breakpoint
ALTER TABLE "contacts" ADD CONSTRAINT "contacts_extension" CHECK (("contacts"."extended_at" is null) = ("contacts"."extension_reason" is null));
--> statement-breakpoint
-- A block reaches every web process in the moment of its commit. Channel `ip_blocks`, without payload: the rows are the truth.
CREATE FUNCTION ip_blocks_notify() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM pg_notify('ip_blocks', '');
  RETURN NULL;
END $$;
--> statement-breakpoint
CREATE TRIGGER ip_blocks_notify AFTER INSERT OR UPDATE OR DELETE OR TRUNCATE ON ip_blocks
  FOR EACH STATEMENT EXECUTE FUNCTION ip_blocks_notify();
