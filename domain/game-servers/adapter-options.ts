// Validates the options that adapters need beyond address and port: one shape and rules per kind of option.
import { z } from "zod";
import { findGameType } from "#outside/game-types.ts";
import {
  ADAPTER_OPTIONS,
  type AdapterId,
  type AdapterOptions,
  type OptionKind,
  type OptionValues,
} from "#shared/adapters.ts";
import { type FieldErrorCode, fieldError } from "#shared/field-error-codes.ts";

type OptionError = { within: string[]; code: FieldErrorCode };
type Rule<Value> = {
  /** As sent, for any adapter. */
  shape: z.ZodType<Value>;
  /** The error for an adapter that has the option; undefined: it was not given. */
  error(value: Value | undefined): OptionError | null;
  /** The value to store; undefined: nothing. */
  stored(value: Value): Value | undefined;
};

const RULES: { [Kind in OptionKind]: Rule<OptionValues[Kind]> } = {
  tick: { shape: z.boolean(), error: () => null, stored: (on) => on || undefined },
  game: {
    shape: z.string().max(60),
    error: (type) => (findGameType(type ?? "") ? null : { within: [], code: "no_choice" }),
    stored: (type) => type,
  },
  greeting: {
    shape: z.union(
      [z.enum(["connect", "server_first"]), z.strictObject({ prefixHex: z.string().max(128) })],
      fieldError("no_choice"),
    ),
    error(greeting) {
      if (typeof greeting !== "object" || /^(?:[0-9a-f]{2})+$/i.test(greeting.prefixHex)) return null;
      return { within: ["prefixHex"], code: greeting.prefixHex === "" ? "missing" : "no_hex" };
    },
    stored: (greeting) => (typeof greeting === "object" ? { prefixHex: greeting.prefixHex.toLowerCase() } : greeting),
  },
};

const rulesOf = (adapter: AdapterId) =>
  ADAPTER_OPTIONS.filter((option) => option.adapter === adapter).map(({ name, kind }) => ({
    name,
    // The kind matches the option's name, which TypeScript can't follow.
    rule: RULES[kind] as Rule<OptionValues[OptionKind]>,
  }));

/** The options of all adapters, as a program or a form sends them. */
export const adapterOptions = z
  .strictObject(Object.fromEntries(ADAPTER_OPTIONS.map(({ name, kind }) => [name, RULES[kind].shape.optional()])))
  .meta({ description: "What the adapter has to know beyond address and port." }) as unknown as z.ZodType<
  AdapterOptions,
  AdapterOptions
>;

/** Validates the options of this adapter; returns errors with their path. */
export const errorsOfOptions = (
  adapter: AdapterId,
  given: AdapterOptions,
): { path: string[]; code: OptionError["code"] }[] =>
  rulesOf(adapter).flatMap(({ name, rule }) => {
    const error = rule.error(given[name]);
    return error ? [{ path: [name, ...error.within], code: error.code }] : [];
  });

/** Keeps only this adapter's options; drops those of others and empty ones. */
export function storedOptions(adapter: AdapterId, given: AdapterOptions): AdapterOptions {
  const stored = rulesOf(adapter).map(({ name, rule }) => {
    const value = given[name];
    return [name, value === undefined ? undefined : rule.stored(value)] as const;
  });
  return Object.fromEntries(stored.filter(([, value]) => value !== undefined));
}
