// How often somebody may try to sign in, and to have a mail sent: budgets that no stranger can spend for a member.
import type { AppParts } from "../context.ts";
import { clientKeysOf } from "../request/client-keys.ts";
import { ofAccount, ofAddress, ofAll, type RateLimit } from "../request/rate-limits.ts";
import type { Visit } from "../request/visit.ts";
import { knownDevice } from "./device.ts";

const MINUTE = 60;
const HOUR = 3600;

/**
 * The budgets of a guess at a password: a device that knows the account has its own, and strangers cannot spend it. On a
 * new device they can spend the account's; there is the mailed code then.
 */
export function signInBudgets(app: AppParts, request: Request, visit: Visit, email: string): RateLimit[] {
  const device = knownDevice(app, request.headers.get("Cookie"), email);
  const account = { tries: 10, seconds: 15 * MINUTE };
  if (device) return [ofAccount("sign-in:device", `${device} ${email}`, account)];
  return [
    ...ofAddress("sign-in", visit.ip, { tries: 60, seconds: 15 * MINUTE }),
    ofAccount("sign-in", email, account),
    ofAll("sign-in", { tries: 6_000, seconds: MINUTE }),
  ];
}

/** What one mailbox gets at most within an hour for each of the forms that send mails, from however many addresses. */
const MOST_MAILS = 100;

/**
 * The budgets of a try that sends a mail. A stranger at another address, or at a few, cannot spend what is left for the
 * mailbox's owner: what is short is the budget of one mailbox at one address, and the mailbox's own is far higher.
 */
export function mailBudgets(
  app: AppParts,
  request: Request,
  visit: Visit,
  name: string,
  email: string,
  tries: { address: number; mailbox: number; all: number },
): RateLimit[] {
  const device = knownDevice(app, request.headers.get("Cookie"), email);
  const each = { tries: tries.mailbox, seconds: HOUR };
  if (device) return [ofAccount(`${name}:device`, `${device} ${email}`, each)];
  return [
    ...ofAddress(name, visit.ip, { tries: tries.address, seconds: HOUR }),
    { ...ofAccount(`${name}:here`, `${clientKeysOf(visit.ip).client} ${email}`, each), turn: 1 },
    ofAccount(name, email, { tries: MOST_MAILS, seconds: HOUR }),
    ofAll(name, { tries: tries.all, seconds: MINUTE }),
  ];
}
