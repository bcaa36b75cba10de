// Exports the audit log as a file, with the filters of the list.

import { readListQuery } from "#domain/paging.ts";
import { auditCsv, readAuditFilter } from "#domain/site/audit-log.ts";
import { addressIn, localeAt } from "#shared/locale.ts";
import { appContext } from "#web/context.ts";
import { requireFreshSession, requirePermission } from "#web/guards.ts";
import type { Route } from "./+types/audit-csv";

export function loader({ context, url }: Route.LoaderArgs) {
  requirePermission({ context, url }, "audit:read");
  const { db, log } = context.get(appContext);
  requireFreshSession({ context, url }, { path: addressIn(localeAt(url.pathname), "/admin/audit") + url.search });
  const { q } = readListQuery(url, ["happened_at"], "happened_at");
  const lines = auditCsv(db, q, readAuditFilter(url));
  const encoder = new TextEncoder();
  const body = new ReadableStream<Uint8Array>({
    async pull(controller) {
      try {
        const { value, done } = await lines.next();
        if (done) controller.close();
        else controller.enqueue(encoder.encode(value));
      } catch (error) {
        log.error({ err: error }, "the audit log could not be exported to its end");
        controller.error(error);
      }
    },
    async cancel() {
      await lines.return(undefined);
    },
  });
  return new Response(body, {
    headers: {
      "Content-Type": "text/csv; charset=utf-8",
      "Content-Disposition": `attachment; filename="audit-${new Date().toISOString().slice(0, 10)}.csv"`,
      "Cache-Control": "private, no-store",
    },
  });
}
