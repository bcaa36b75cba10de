// What comes of a login or a change of one's own account, as values: pages turn a refusal into a text.

import type { Weakness } from "#domain/accounts/common-passwords.ts";
import type { Ban } from "#domain/members/user-list.ts";

/** Why a request was refused. */
export type Refusal =
  | { ok: false; status: 400 | 422; reason: "missing" | "email" | "taken" | Weakness }
  | { ok: false; status: 401; reason: "wrong" | "code" | "link" }
  | { ok: false; status: 403; reason: "unverified" | "closed" | "sign_ups_closed" | "invitation" }
  /** `ban`: only for a user who has proved that the account is theirs. */
  | { ok: false; status: 403; reason: "banned"; ban?: Ban | null }
  | { ok: false; status: 429; reason: "limit"; wait_s: number };

/** `headers` contain the response's cookies; `check_passkeys`: the member must review their passkeys first. */
export type SignedIn = { ok: true; headers: Headers; second_step: boolean; check_passkeys: boolean };

export const limited = (wait_s: number): Refusal => ({ ok: false, status: 429, reason: "limit", wait_s });
