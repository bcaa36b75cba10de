// What each way to ask a game server is called, and each of its options: its proper name, or variants of a few messages. One
// that has neither does not compile.
import {
  ADAPTER_FACTS,
  type AdapterId,
  type AdapterOptionName,
  type AskedAdapterId,
  type NamedAdapterId,
  type SilentAdapterId,
  type TickOptionName,
} from "#shared/adapters.ts";
import { m } from "../../paraglide/messages.js";

/** In a form, where an admin chooses. */
export const adapterLabel = (adapter: AdapterId): string =>
  isNamed(adapter) ? properName(adapter) : m.admin_adapter_name({ adapter });

/** In a few words, where the doctor says what it tried. */
export const adapterName = (adapter: AskedAdapterId): string =>
  isNamed(adapter) ? properName(adapter) : m.doctor_adapter_name({ adapter });

/** How we know what we know of a game server that is asked every so many seconds. `told`: somebody tells how many are on. */
export function howWeKnow(adapter: AdapterId, seconds: number, told: boolean): string {
  const every = m.every_seconds({ count: seconds });
  // The adapter itself cannot have told: it came by a heartbeat.
  if (told && isSilent(adapter)) return m.known_by_reported({ adapter, every });
  if (isNamed(adapter)) return m.known_by_protocol({ protocol: properName(adapter), every });
  return m.known_by({ adapter, every });
}

const properName = (adapter: NamedAdapterId): string => ADAPTER_FACTS[adapter].properName;

// One that only a newer version knows is none of ours.
const isNamed = (adapter: AdapterId): adapter is NamedAdapterId => ADAPTER_FACTS[adapter]?.properName !== undefined;
const isSilent = (adapter: AdapterId): adapter is SilentAdapterId => ADAPTER_FACTS[adapter]?.tells.players === false;

/** What an option is called in a form. */
export const optionLabel = (option: AdapterOptionName): string => m.admin_option({ option });

/** What a tick is for. */
export const tickHint = (option: TickOptionName): string => m.admin_option_hint({ option });
