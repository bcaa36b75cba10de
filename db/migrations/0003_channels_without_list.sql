ALTER TABLE "notification_deliveries" DROP CONSTRAINT "notification_deliveries_channel";--> statement-breakpoint
ALTER TABLE "notification_targets" DROP CONSTRAINT "notification_targets_kind";