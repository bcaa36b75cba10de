// The words of an event for one reader. A kind of event without words does not compile.
import { TELLINGS, type Telling, tellingOf as textsOf } from "#content/notifications/tellings.ts";
import type { MailLocale } from "../mails.ts";
import type { ToldEvent } from "./channel.ts";
import type { EventKind } from "./event-kinds.ts";

const KINDS: Record<EventKind, unknown> = TELLINGS;

/** What somebody is told of an event. Whatever a channel needs escaped of it, it escapes itself. */
export const tellingOf = (event: ToldEvent, locale: MailLocale): Telling | null =>
  Object.hasOwn(KINDS, event.kind) ? textsOf(event.kind, event, locale) : null;
