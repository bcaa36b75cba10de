CREATE TABLE "erased_accounts" (
	"erased_account_id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"email_hash" text NOT NULL,
	"registered_at" timestamp with time zone NOT NULL,
	"deactivated_at" timestamp with time zone NOT NULL,
	"erased_at" timestamp with time zone DEFAULT now() NOT NULL,
	"keep_until" timestamp with time zone NOT NULL
);
--> statement-breakpoint
CREATE INDEX "erased_accounts_ended" ON "erased_accounts" USING btree ("keep_until");--> statement-breakpoint
CREATE INDEX "erased_accounts_hash" ON "erased_accounts" USING btree ("email_hash");