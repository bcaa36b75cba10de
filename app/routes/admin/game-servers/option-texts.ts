// Converts adapter options to form texts and back, by kind of option; in the browser too.
import { ADAPTER_OPTIONS, type AdapterOptions, type OptionKind } from "#shared/adapters.ts";
import { m } from "../../../paraglide/messages.js";
import { optionLabel } from "../../../ui/adapter-text/adapter-text.ts";

/** By input name: ticks are booleans, everything else is text. */
export type OptionTexts = Record<string, string | boolean>;

/** Returns the name of an option's input: count_from_player_list for countFromPlayerList. */
export const inputName = (option: string): string => option.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

/** First bytes that a game server may be expected to send. */
export const GREETINGS = ["", "server_first", "prefix"] as const;

/** Returns the text of a greeting; an unknown one is shown as it is. */
export function greetingText(greeting: string): string {
  if (greeting === "") return m.admin_expect_connect();
  if (greeting === "server_first") return m.admin_expect_first();
  return greeting === "prefix" ? m.admin_expect_prefix() : greeting;
}

/** Name of the input for the expected first bytes. */
export const prefixInput = (input: string): string => `${input}_prefix`;

type Kind = {
  /** Converts a stored value, or one from an address, to texts. */
  texts(input: string, stored: unknown): OptionTexts;
  /** Converts texts for the shape to check; undefined: nothing. */
  value(input: string, texts: OptionTexts): unknown;
  labels(input: string, label: string): Record<string, string>;
};

const KINDS: Record<OptionKind, Kind> = {
  tick: {
    texts: (input, stored) => ({ [input]: stored === true }),
    value: (input, texts) => texts[input] === true,
    labels: (input, label) => ({ [input]: label }),
  },
  game: {
    texts: (input, stored) => ({ [input]: typeof stored === "string" ? stored : "" }),
    value: (input, texts) => texts[input],
    labels: (input, label) => ({ [input]: label }),
  },
  greeting: {
    texts(input, stored) {
      const isPrefix = typeof stored === "object" && stored !== null && "prefixHex" in stored;
      return {
        [input]: isPrefix ? "prefix" : typeof stored === "string" ? stored : "",
        [prefixInput(input)]: isPrefix ? String(stored.prefixHex) : "",
      };
    },
    value(input, texts) {
      if (texts[input] === "prefix") return { prefixHex: String(texts[prefixInput(input)] ?? "").trim() };
      return texts[input] || undefined;
    },
    labels: (input, label) => ({ [input]: label, [prefixInput(input)]: m.admin_server_prefix() }),
  },
};

/** Of all adapters, so that typed values survive a change of adapter. */
export const optionTexts = (options: AdapterOptions): OptionTexts =>
  Object.assign({}, ...ADAPTER_OPTIONS.map(({ name, kind }) => KINDS[kind].texts(inputName(name), options[name])));

/** Converts the texts back; values of other adapters are dropped when saving. */
export const optionsFrom = (texts: OptionTexts): Record<string, unknown> =>
  Object.fromEntries(
    ADAPTER_OPTIONS.flatMap(({ name, kind }) => {
      const value = KINDS[kind].value(inputName(name), texts);
      return value === undefined ? [] : [[name, value]];
    }),
  );

/** Labels of the inputs. */
export const optionLabels = (): Record<string, string> =>
  Object.assign({}, ...ADAPTER_OPTIONS.map(({ name, kind }) => KINDS[kind].labels(inputName(name), optionLabel(name))));
