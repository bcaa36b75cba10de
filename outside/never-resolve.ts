import type { LookupFunction } from "node:net";

/** For an address that is literal. If Node should resolve a name nevertheless, it gets no result. */
export const neverResolve: LookupFunction = (name, _, done) =>
  done(Object.assign(new Error(`not resolved: ${name}`), { code: "ENOTFOUND" }), []);
