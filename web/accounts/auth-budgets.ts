// Limits tries to sign in and requests for mails, with budgets that strangers can't spend for a member.
import type { AppParts } from "../context.ts";
import { clientKeysOf } from "../request/client-keys.ts";
import { ofAccount, ofAddress, ofAll, type RateLimit } from "../request/rate-limits.ts";
import type { Visit } from "../request/visit.ts";
import { knownDevice } from "./device.ts";

const MINUTE = 60;
const HOUR = 3600;

/**
 * Gets the budgets of a password try: a device known to the account has its own, which strangers cannot spend. On a new
 * device they can spend the account's; the mailed code still works then.
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

/** The mails per hour to one mailbox for each form that sends mails, from any number of addresses. */
const MOST_MAILS = 100;

/**
 * Gets the budgets of a request for a mail. Strangers at a few other addresses cannot spend those of the mailbox's
 * owner: the small budget is that of one mailbox at one address, and the mailbox's own is far higher.
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
