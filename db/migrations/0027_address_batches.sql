CREATE TABLE "address_batch_lines" (
	"line_id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "address_batch_lines_line_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"batch_id" integer NOT NULL,
	"user_id" uuid NOT NULL,
	"typed" text NOT NULL,
	"unread" text,
	"host" text,
	"port" integer,
	"typed_name" text,
	"password" text,
	"asked_as" text,
	"claimed_until" timestamp with time zone,
	"attempts" smallint DEFAULT 0 NOT NULL,
	"examined_at" timestamp with time zone,
	"diagnosis" jsonb,
	"chosen" boolean,
	"chosen_game" text,
	"chosen_name" text,
	"refused" text,
	"added_at" timestamp with time zone,
	"server_id" integer,
	CONSTRAINT "address_batch_lines_address" CHECK (("address_batch_lines"."host" is null) = ("address_batch_lines"."unread" is not null)),
	CONSTRAINT "address_batch_lines_port" CHECK ("address_batch_lines"."port" between 1 and 65535),
	CONSTRAINT "address_batch_lines_lengths" CHECK (char_length("address_batch_lines"."typed") <= 300 and char_length("address_batch_lines"."host") <= 300
        and char_length("address_batch_lines"."typed_name") <= 80 and char_length("address_batch_lines"."password") <= 64
        and char_length("address_batch_lines"."chosen_name") <= 200)
);
--> statement-breakpoint
CREATE TABLE "address_batches" (
	"batch_id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "address_batches_batch_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"user_id" uuid NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
ALTER TABLE "address_batch_lines" ADD CONSTRAINT "address_batch_lines_batch_id_address_batches_batch_id_fk" FOREIGN KEY ("batch_id") REFERENCES "public"."address_batches"("batch_id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "address_batch_lines" ADD CONSTRAINT "address_batch_lines_user_id_users_user_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("user_id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "address_batch_lines" ADD CONSTRAINT "address_batch_lines_server_id_gameserver_server_id_fk" FOREIGN KEY ("server_id") REFERENCES "public"."gameserver"("server_id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "address_batches" ADD CONSTRAINT "address_batches_user_id_users_user_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("user_id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "address_batch_lines_of_batch" ON "address_batch_lines" USING btree ("batch_id","line_id");--> statement-breakpoint
CREATE INDEX "address_batch_lines_server" ON "address_batch_lines" USING btree ("server_id");--> statement-breakpoint
CREATE INDEX "address_batch_lines_of_user" ON "address_batch_lines" USING btree ("user_id");--> statement-breakpoint
CREATE INDEX "address_batch_lines_waiting" ON "address_batch_lines" USING btree ("batch_id","line_id") WHERE "address_batch_lines"."examined_at" is null and "address_batch_lines"."unread" is null;--> statement-breakpoint
CREATE INDEX "address_batches_of_user" ON "address_batches" USING btree ("user_id");--> statement-breakpoint
CREATE INDEX "address_batches_age" ON "address_batches" USING btree ("created_at");