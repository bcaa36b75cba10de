// What each way to ask a game server is called, and each of its options: variants of a few messages. One that has no
// variant does not compile.
import {
  ADAPTER_FACTS,
  type AdapterId,
  type AdapterOptionName,
  type AskedAdapterId,
  type SilentAdapterId,
  type TickOptionName,
} from "#shared/adapters.ts";
import { m } from "../../paraglide/messages.js";

/** In a form, where an admin chooses. */
export const adapterLabel = (adapter: AdapterId): string => m.admin_adapter_name({ adapter });

/** In a few words, where the doctor says what it tried. */
export const adapterName = (adapter: AskedAdapterId): string => m.doctor_adapter_name({ adapter });

/** How we know what we know of a game server that is asked this often. `told`: somebody tells how many are on. */
export function howWeKnow(adapter: AdapterId, seconds: string, told: boolean): string {
  // The adapter itself cannot have told: it came by a heartbeat.
  return told && isSilent(adapter) ? m.known_by_reported({ adapter, seconds }) : m.known_by({ adapter, seconds });
}

// One that only a newer version knows is none of ours.
const isSilent = (adapter: AdapterId): adapter is SilentAdapterId => ADAPTER_FACTS[adapter]?.tells.players === false;

/** What an option is called in a form. */
export const optionLabel = (option: AdapterOptionName): string => m.admin_option({ option });

/** What a tick is for. */
export const tickHint = (option: TickOptionName): string => m.admin_option_hint({ option });
