// The link that opens a game at an address, as an admin writes it: of a game server, and of a game for its new ones.
import { fieldError } from "#shared/field-error-codes.ts";
import { JOIN_SCHEMES } from "#shared/join-href.ts";
import { line } from "./form-text.ts";

export const JOIN_LINK_LIMIT = 300;

/** A whole address whose placeholders stand for what a host and a port can be. */
const filled = (template: string) => URL.parse(template.replaceAll("{host}", "host.example").replaceAll("{port}", "1"));

/** A template with {host} and {port}, or nothing. Errors: `too_long`, `no_join_link`. */
export const joinLink = line(JOIN_LINK_LIMIT).refine(
  (link) => link === "" || JOIN_SCHEMES.includes(filled(link)?.protocol ?? ""),
  fieldError("no_join_link"),
);
