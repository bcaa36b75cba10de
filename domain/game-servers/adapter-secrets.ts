// Credentials of adapters (passwords, tokens): sealed with the site's secret, opened only for queries, never shown again.
import {
  ADAPTER_FACTS,
  ADAPTER_SECRETS,
  type AdapterId,
  type AdapterSecretName,
  type AdapterSecrets,
  type SealedSecrets,
} from "#shared/adapters.ts";
import { openSealed, seal, sealingKey } from "../site/sealing.ts";

/** An admin's input per secret: a new one, a removal, or nothing (`typed` is empty), which leaves the old one. */
export type GivenSecrets = Partial<Record<AdapterSecretName, { typed: string; remove: boolean }>>;
/** The audit log's note on each. */
export type ToldSecrets = Partial<Record<AdapterSecretName, "set" | "changed" | "removed">>;

/** Longest secret in characters; tokens of games have some hundreds. */
export const LONGEST_SECRET = 1000;

const keyFrom = (siteSecret: string): Buffer => sealingKey(siteSecret, "secrets of adapters");

/** Opens all secrets of a game server; null if the site's secret can't open one. */
export function openSecrets(siteSecret: string, sealed: SealedSecrets): AdapterSecrets | null {
  const key = keyFrom(siteSecret);
  const opened: AdapterSecrets = {};
  for (const { name } of ADAPTER_SECRETS) {
    const kept = sealed[name];
    if (!kept) continue;
    const secret = openSealed(key, name, kept.sealed);
    if (secret === null) return null;
    opened[name] = secret;
  }
  return opened;
}

/** Reseals them with another site secret; null if `from` can't open one. */
export function resealSecrets(from: string, to: string, sealed: SealedSecrets): SealedSecrets | null {
  const opened = openSecrets(from, sealed);
  if (opened === null) return null;
  const key = keyFrom(to);
  const entries = ADAPTER_SECRETS.flatMap(({ name }) => {
    const secret = opened[name];
    return secret === undefined ? [] : [[name, { sealed: seal(key, name, secret), end: endOf(secret) }]];
  });
  return Object.fromEntries(entries);
}

/** The end by which an admin recognises it; shorter for short ones, to reveal less. */
const endOf = (secret: string): string =>
  secret.length >= 12 ? secret.slice(-4) : secret.length >= 8 ? secret.slice(-2) : "";

/**
 * Applies an admin's input and returns the secrets to store, of this adapter only. `moved`: the game server has a new host, so only
 * newly typed secrets are stored; otherwise an editor could have the old ones sent to a machine of their own.
 */
export function changedSecrets(
  siteSecret: string,
  adapter: AdapterId,
  { kept, given, moved }: { kept: SealedSecrets; given: GivenSecrets; moved: boolean },
): { secrets: SealedSecrets; told: ToldSecrets } {
  const secrets: SealedSecrets = {};
  const told: ToldSecrets = {};
  for (const { adapter: of, name } of ADAPTER_SECRETS) {
    const before = kept[name];
    const said = of === adapter ? given[name] : undefined;
    if (said && said.typed !== "") {
      secrets[name] = { sealed: seal(keyFrom(siteSecret), name, said.typed), end: endOf(said.typed) };
      told[name] = before ? "changed" : "set";
    } else if (before && of === adapter && !moved && !said?.remove) {
      secrets[name] = before;
    } else if (before) {
      told[name] = "removed";
    }
  }
  return { secrets, told };
}

/** A secret removed without a request: through a change of host or of adapter. */
export type ForgottenSecret = { name: AdapterSecretName; because: "host" | "adapter" };

/** Lists secrets that a save removed without a request, from `changedSecrets`; `adapter` is the new one. */
export const forgottenSecrets = (told: ToldSecrets, given: GivenSecrets, adapter: AdapterId): ForgottenSecret[] =>
  ADAPTER_SECRETS.flatMap(({ name, adapter: of }): ForgottenSecret[] => {
    if (told[name] !== "removed") return [];
    if (of !== adapter) return [{ name, because: "adapter" }];
    return given[name]?.remove ? [] : [{ name, because: "host" }];
  });

/** Lists the secrets that this adapter needs and that aren't stored. */
export const missingSecrets = (adapter: AdapterId, kept: Partial<Record<AdapterSecretName, unknown>>) =>
  ADAPTER_FACTS[adapter].secretsNeeded
    ? ADAPTER_SECRETS.filter((one) => one.adapter === adapter && !kept[one.name]).map(({ name }) => name)
    : [];

/** For admins: the end of each, and whether it can still be opened. */
export type ShownSecrets = Partial<Record<AdapterSecretName, { end: string; readable: boolean }>>;

export function shownSecrets(siteSecret: string, sealed: SealedSecrets): ShownSecrets {
  const key = keyFrom(siteSecret);
  return Object.fromEntries(
    ADAPTER_SECRETS.flatMap(({ name }) => {
      const kept = sealed[name];
      return kept ? [[name, { end: kept.end, readable: openSealed(key, name, kept.sealed) !== null }]] : [];
    }),
  );
}

/** Reads a form: `secret_NAME` as typed, and `forget_NAME` to remove it. */
export function givenSecrets(form: FormData): GivenSecrets {
  return Object.fromEntries(
    ADAPTER_SECRETS.map(({ name }) => {
      // Strip pasted line ends and spaces around it.
      const typed = String(form.get(`secret_${name}`) ?? "")
        .replace(/\p{Cc}/gu, "")
        .trim()
        .slice(0, LONGEST_SECRET);
      return [name, { typed, remove: form.has(`forget_${name}`) }];
    }),
  );
}
