// What each way to ask a game server is called, and each of its options. The texts are variants of a few messages, and a
// forgotten one, in either language, does not compile.
import {
  ADAPTER_FACTS,
  type AdapterId,
  type AdapterOptionName,
  type AskedAdapterId,
  type SilentAdapterId,
} from "#shared/adapters.ts";
import type de from "../../messages/de.json";
import type en from "../../messages/en.json";
import { m } from "../../paraglide/messages.js";

/** The values for which a message has a variant in both languages. */
type Told<Key extends keyof typeof en & keyof typeof de, Input extends string> = In<(typeof en)[Key], Input> &
  In<(typeof de)[Key], Input>;
type In<Message, Input extends string> = Message extends { match: infer Match }[]
  ? keyof Match extends infer Variant
    ? Variant extends `${Input}=${infer Value}`
      ? Value
      : never
    : never
  : never;

/** In a form, where an admin chooses. */
export const adapterLabel = (adapter: AdapterId): string =>
  m.admin_adapter_name({ adapter: adapter satisfies Told<"admin_adapter_name", "adapter"> });

/** In a few words, where the doctor says what it tried. */
export const adapterName = (adapter: AskedAdapterId): string =>
  m.doctor_adapter_name({ adapter: adapter satisfies Told<"doctor_adapter_name", "adapter"> });

/** How we know what we know of a game server that is asked this often. `told`: somebody tells how many are on. */
export function howWeKnow(adapter: AdapterId, seconds: string, told: boolean): string {
  // The adapter cannot have: it came by a heartbeat.
  if (told && isSilent(adapter))
    return m.known_by_reported({ adapter: adapter satisfies Told<"known_by_reported", "adapter">, seconds });
  return m.known_by({ adapter: adapter satisfies Told<"known_by", "adapter">, seconds });
}

// One that only a newer version knows is none of ours.
const isSilent = (adapter: AdapterId): adapter is SilentAdapterId => ADAPTER_FACTS[adapter]?.tells.players === false;

/** What an option is called, and a hint where there is more to say. */
export const optionLabel = (option: AdapterOptionName): string =>
  m.admin_option({ option: option satisfies Told<"admin_option", "option"> });
export const optionHint = (option: AdapterOptionName): string => m.admin_option_hint({ option });
