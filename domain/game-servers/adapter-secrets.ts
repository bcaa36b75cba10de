// What adapters show to be let in (passwords, tokens): sealed with the site's secret, opened only to ask, never told again.
import {
  ADAPTER_FACTS,
  ADAPTER_SECRETS,
  type AdapterId,
  type AdapterSecretName,
  type AdapterSecrets,
  type SealedSecrets,
} from "#shared/adapters.ts";
import { openSealed, seal, sealingKey } from "../site/sealing.ts";

/** What an admin says of one: a new one, that there is none any more, or nothing (`typed` is empty), which keeps what is there. */
export type GivenSecrets = Partial<Record<AdapterSecretName, { typed: string; remove: boolean }>>;
/** What the audit log tells of each. */
export type ToldSecrets = Partial<Record<AdapterSecretName, "set" | "changed" | "removed">>;

/** How long one may be, in characters; tokens of games have some hundreds. */
export const LONGEST_SECRET = 1000;

const keyFrom = (siteSecret: string): Buffer => sealingKey(siteSecret, "secrets of adapters");

/** All of a game server; null where the site's secret opens one of them not. */
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

/** The same under another secret of the site; null where `from` opens one of them not. */
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

/** By which an admin knows it again. Of a short one it would tell too much. */
const endOf = (secret: string): string =>
  secret.length >= 12 ? secret.slice(-4) : secret.length >= 8 ? secret.slice(-2) : "";

/**
 * What is kept from now on: of this adapter alone, with what an admin says. `moved`: the game server is at another host now,
 * where only what was typed anew is shown; otherwise whoever may edit it could have it sent to a machine of their own.
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

/** One that nobody asked to remove: it went with the host, or with the adapter that it belongs to. */
export type ForgottenSecret = { name: AdapterSecretName; because: "host" | "adapter" };

/** Those that a save has forgotten unasked, of what `changedSecrets` told; `adapter` is the one from now on. */
export const forgottenSecrets = (told: ToldSecrets, given: GivenSecrets, adapter: AdapterId): ForgottenSecret[] =>
  ADAPTER_SECRETS.flatMap(({ name, adapter: of }): ForgottenSecret[] => {
    if (told[name] !== "removed") return [];
    if (of !== adapter) return [{ name, because: "adapter" }];
    return given[name]?.remove ? [] : [{ name, because: "host" }];
  });

/** Those without which this adapter is told nothing, and which are not kept. */
export const missingSecrets = (adapter: AdapterId, kept: Partial<Record<AdapterSecretName, unknown>>) =>
  ADAPTER_FACTS[adapter].secretsNeeded
    ? ADAPTER_SECRETS.filter((one) => one.adapter === adapter && !kept[one.name]).map(({ name }) => name)
    : [];

/** What admins are told of each: how it ends, and whether it can still be opened. */
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

/** What a form sent: `secret_NAME` as it was typed, and `forget_NAME` where it is to go. */
export function givenSecrets(form: FormData): GivenSecrets {
  return Object.fromEntries(
    ADAPTER_SECRETS.map(({ name }) => {
      // Pasted with a line end, or with spaces around: none of them is part of it.
      const typed = String(form.get(`secret_${name}`) ?? "")
        .replace(/\p{Cc}/gu, "")
        .trim()
        .slice(0, LONGEST_SECRET);
      return [name, { typed, remove: form.has(`forget_${name}`) }];
    }),
  );
}
