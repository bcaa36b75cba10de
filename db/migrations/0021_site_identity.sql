CREATE TABLE "site_identity" (
	"is_site" boolean PRIMARY KEY DEFAULT true NOT NULL,
	"kind" text,
	"secret_check" text,
	CONSTRAINT "site_identity_one_row" CHECK ("site_identity"."is_site"),
	CONSTRAINT "site_identity_kind" CHECK ("site_identity"."kind" in ('real', 'demo'))
);
--> statement-breakpoint
ALTER TABLE "two_factors" ADD COLUMN "recovery_secret" text;