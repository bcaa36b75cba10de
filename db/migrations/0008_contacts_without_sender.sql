DROP INDEX "contacts_of_sender";--> statement-breakpoint
ALTER TABLE "contacts" DROP COLUMN "sender_hash";