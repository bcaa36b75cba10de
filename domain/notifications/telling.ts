// Renders an event's text for one reader. An event kind without text doesn't compile.
import { TELLINGS, type Telling, tellingOf as textsOf } from "#content/notifications/tellings.ts";
import type { MailLocale } from "../mails.ts";
import type { ToldEvent } from "./channel.ts";
import type { EventKind } from "./event-kinds.ts";

const KINDS: Record<EventKind, unknown> = TELLINGS;

/** Renders a notification's text; each channel does its own escaping. */
export const tellingOf = (event: ToldEvent, locale: MailLocale): Telling | null =>
  Object.hasOwn(KINDS, event.kind) ? textsOf(event.kind, event, locale) : null;
