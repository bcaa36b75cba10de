/**
 * On each new connection the driver asks for the array types by a statement of its own. Where that fails, because the
 * connection does, nobody hears of it, and the process would end over it. Whoever waits for the connection is told by an
 * error of their own, or gets the next one.
 */
export function outliveUnheardErrors(): void {
  process.on("unhandledRejection", (reason) => {
    if (!isOfArrayTypes(reason)) throw reason;
  });
}

const isOfArrayTypes = (reason: unknown): boolean =>
  reason instanceof Error && "query" in reason && /from pg_catalog\.pg_type a\s/.test(String(reason.query));
