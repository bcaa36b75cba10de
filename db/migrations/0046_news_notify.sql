-- News stand on pages that every web process keeps: whichever changes one tells all of them, as the other content does.
CREATE TRIGGER news_notify AFTER INSERT OR UPDATE OR DELETE OR TRUNCATE ON news
  FOR EACH STATEMENT EXECUTE FUNCTION catalog_notify();
--> statement-breakpoint
CREATE TRIGGER news_about_notify AFTER INSERT OR UPDATE OR DELETE OR TRUNCATE ON news_about
  FOR EACH STATEMENT EXECUTE FUNCTION catalog_notify();
