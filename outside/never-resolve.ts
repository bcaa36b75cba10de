import type { LookupFunction } from "node:net";

/** For an address that is literal. Should Node ever want to resolve something all the same, it is told that there is nothing. */
export const neverResolve: LookupFunction = (name, _, done) =>
  done(Object.assign(new Error(`not resolved: ${name}`), { code: "ENOTFOUND" }), []);
