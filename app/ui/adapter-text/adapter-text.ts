// Names of adapters and their options: a proper name, or variants of a few messages. An adapter with neither doesn't compile.
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

/** Label for a form. */
export const adapterLabel = (adapter: AdapterId): string =>
  isNamed(adapter) ? properName(adapter) : m.admin_adapter_name({ adapter });

/** Short name, for the doctor's attempts. */
export const adapterName = (adapter: AskedAdapterId): string =>
  isNamed(adapter) ? properName(adapter) : m.doctor_adapter_name({ adapter });

/** Describes how a game server polled at an interval is known. `told`: player numbers are reported. */
export function howWeKnow(adapter: AdapterId, seconds: number, told: boolean): string {
  const every = m.every_seconds({ count: seconds });
  // The adapter itself can't report players: they came by a heartbeat.
  if (told && isSilent(adapter)) return m.known_by_reported({ adapter, every });
  if (isNamed(adapter)) return m.known_by_protocol({ protocol: properName(adapter), every });
  return m.known_by({ adapter, every });
}

const properName = (adapter: NamedAdapterId): string => ADAPTER_FACTS[adapter].properName;

// An adapter of a newer version is unknown here.
const isNamed = (adapter: AdapterId): adapter is NamedAdapterId => ADAPTER_FACTS[adapter]?.properName !== undefined;
const isSilent = (adapter: AdapterId): adapter is SilentAdapterId => ADAPTER_FACTS[adapter]?.tells.players === false;

/** Label of an option in a form. */
export const optionLabel = (option: AdapterOptionName): string => m.admin_option({ option });

/** Hint of a tick box. */
export const tickHint = (option: TickOptionName): string => m.admin_option_hint({ option });
