CREATE TABLE "contacts" (
	"contact_id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "contacts_contact_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"name" text NOT NULL,
	"email" text NOT NULL,
	"message" text NOT NULL,
	"locale" text NOT NULL,
	"request_kind" text,
	"request_region" text,
	"sender_hash" text,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"read_at" timestamp with time zone,
	"answered_at" timestamp with time zone,
	CONSTRAINT "contacts_locale" CHECK ("contacts"."locale" in ('en', 'de')),
	CONSTRAINT "contacts_request" CHECK (("contacts"."request_kind" is null) = ("contacts"."request_region" is null)
        and "contacts"."request_kind" in ('access', 'correct', 'delete', 'copy', 'opt_out', 'appeal')
        and "contacts"."request_region" in ('europe', 'colorado', 'connecticut', 'virginia', 'us_other', 'elsewhere')),
	CONSTRAINT "contacts_lengths" CHECK (char_length("contacts"."name") between 1 and 80 and char_length("contacts"."email") between 3 and 254
        and char_length("contacts"."message") between 1 and 5000)
);
--> statement-breakpoint
CREATE TABLE "mails" (
	"mail_id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"mail_to" text NOT NULL,
	"reply_to" text,
	"locale" text NOT NULL,
	"template" text NOT NULL,
	"data" jsonb,
	"attempts" integer DEFAULT 0 NOT NULL,
	"next_attempt_at" timestamp with time zone DEFAULT now(),
	"useful_until" timestamp with time zone,
	"sent_at" timestamp with time zone,
	"given_up_at" timestamp with time zone,
	"last_error" text,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "mails_locale" CHECK ("mails"."locale" in ('en', 'de'))
);
--> statement-breakpoint
CREATE INDEX "contacts_newest" ON "contacts" USING btree ("created_at");--> statement-breakpoint
CREATE INDEX "contacts_of_sender" ON "contacts" USING btree ("sender_hash","created_at") WHERE "contacts"."sender_hash" is not null;--> statement-breakpoint
CREATE INDEX "mails_due" ON "mails" USING btree ("next_attempt_at") WHERE "mails"."next_attempt_at" is not null;--> statement-breakpoint
CREATE INDEX "mails_age" ON "mails" USING btree ("created_at");