// Validates the link that opens a game at a game server; a game's link is copied to its new game servers.
import { fieldError } from "#shared/field-error-codes.ts";
import { hasUnknownPlaceholder, joinHref } from "#shared/join-href.ts";
import { line } from "./form-text.ts";

/** Longest stored link. */
export const JOIN_LINK_LIMIT = 300;

/** Sample values to test a link with. */
const EXAMPLE = { host: "host.example", port: 1, name: "name", password: "password" };

/** A template as in shared/join-href.ts, or an empty text. Errors: `too_long`, `no_join_placeholder`, `no_join_link`. */
export const joinLink = line(JOIN_LINK_LIMIT)
  .refine((link) => !hasUnknownPlaceholder(link), { error: fieldError("no_join_placeholder"), abort: true })
  .refine((link) => link === "" || joinHref(link, EXAMPLE) !== null, fieldError("no_join_link"))
  .meta({ description: "Opens the game, with {host} {port} {name} {password}." });
