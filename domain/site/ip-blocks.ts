// Blocks IP addresses and ranges for a time. Each change and its audit row are one transaction.
import { BlockList, isIP } from "node:net";
import { and, asc, eq, gt, lt, sql } from "drizzle-orm";
import { z } from "zod";
import type { Db } from "#db/client.ts";
import { ipBlocks, roles, sessions } from "#db/schema/index.ts";
import { fieldError } from "#shared/field-error-codes.ts";
import { isTaken } from "../edit-conflicts.ts";
import { filledLine } from "../form-text.ts";
import { type Actor, recordAudit } from "./audit.ts";

/** Broader ranges are typing errors: they would block whole countries. */
const LEAST_BITS = { 4: 8, 6: 19 };
/** Days that a block can last. */
export const BLOCK_DAYS = [1, 7, 30, 365] as const;

/** `no_network`: no address or range, or one that is too broad. */
export const ipBlockShape = z.object({
  network: z
    .string(fieldError("missing"))
    .transform((value) => value.trim().toLowerCase())
    .refine((value) => value !== "", { error: fieldError("missing"), abort: true })
    .refine((value) => readNetwork(value) !== null, fieldError("no_network")),
  reason: filledLine(200),
  days: z.enum(BLOCK_DAYS.map(String), fieldError("no_choice")),
});

type Network = { address: string; bits: number; family: 4 | 6 };

/** Parses `192.0.2.7`, `192.0.2.0/24`, `2001:db8::/32`; null for anything else. */
export function readNetwork(text: string): Network | null {
  const [address = "", bits, more] = text.split("/");
  const family = isIP(address);
  if ((family !== 4 && family !== 6) || more !== undefined || address.includes("%")) return null;
  const most = family === 4 ? 32 : 128;
  if (bits !== undefined && !/^\d{1,3}$/.test(bits)) return null;
  const count = bits === undefined ? most : Number(bits);
  return count >= LEAST_BITS[family] && count <= most ? { address, bits: count, family } : null;
}

/** True if an address lies in one of the ranges. A mapped IPv4 address counts as IPv4. */
export function liesIn(networks: readonly string[], ip: string): boolean {
  const list = new BlockList();
  for (const text of networks) {
    const network = readNetwork(text);
    if (network) list.addSubnet(network.address, network.bits, network.family === 4 ? "ipv4" : "ipv6");
  }
  return isBlocked(list, ip);
}

/** Checks an address against a list of ranges. */
export function isBlocked(list: BlockList, ip: string): boolean {
  const plain = ip.replace(/^::ffff:(?=\d+\.)/i, "").split("%", 1)[0] ?? "";
  const family = isIP(plain);
  return family !== 0 && list.check(plain, family === 4 ? "ipv4" : "ipv6");
}

export type IpBlock = { block_id: number; network: string; reason: string; blocked_until: Date; created_at: Date };

/** Lists active blocks, the earliest end first. */
export function listIpBlocks(db: Db): Promise<IpBlock[]> {
  return db
    .select()
    .from(ipBlocks)
    .where(gt(ipBlocks.blocked_until, sql`now()`))
    .orderBy(asc(ipBlocks.blocked_until), asc(ipBlocks.block_id));
}

/** Blocks an address or a range. `own`: the acting admin's address is in it. `taken`: this very range is blocked already. */
export async function createIpBlock(
  db: Db,
  actor: Actor,
  block: z.infer<typeof ipBlockShape>,
): Promise<{ ok: true } | { ok: false; reason: "own" | "taken" }> {
  if (liesIn([block.network], actor.origin.ip)) return { ok: false, reason: "own" };
  try {
    return await db.transaction(async (tx) => {
      await tx.delete(ipBlocks).where(lt(ipBlocks.blocked_until, sql`now()`));
      const [made] = await tx
        .insert(ipBlocks)
        // Clears the bits behind the range.
        .values({
          network: sql`network(${block.network}::inet)`,
          reason: block.reason,
          blocked_until: sql`now() + make_interval(days => ${Number(block.days)})`,
        })
        .returning({ network: ipBlocks.network, blocked_until: ipBlocks.blocked_until });
      if (!made) throw new Error("the range was not written");
      await recordAudit(tx, {
        what: "address-blocked",
        actor_id: actor.user_id,
        origin: actor.origin,
        subject: { type: "ip-block", id: made.network },
        details: { after: { reason: block.reason, until: made.blocked_until.toISOString() } },
      });
      return { ok: true };
    });
  } catch (error) {
    if (isTaken(error)) return { ok: false, reason: "taken" };
    throw error;
  }
}

/** The actor for commands on the machine itself: no logged-in user. */
const CONSOLE = { actor_id: null, origin: { ip: "", user_agent: "spawnpoint" } };

/**
 * Blocks a range by an operator's command; an existing block gets the new reason and end. `network`: as `readNetwork` takes it.
 * Returns the range without the bits behind it, and its end.
 */
export async function blockFromConsole(
  db: Db,
  block: { network: string; reason: string; seconds: number },
): Promise<{ network: string; blocked_until: Date }> {
  return db.transaction(async (tx) => {
    const blocked_until = sql`now() + make_interval(secs => ${block.seconds})`;
    const [made] = await tx
      .insert(ipBlocks)
      .values({ network: sql`network(${block.network}::inet)`, reason: block.reason, blocked_until })
      .onConflictDoUpdate({ target: ipBlocks.network, set: { reason: block.reason, blocked_until } })
      .returning({ network: ipBlocks.network, blocked_until: ipBlocks.blocked_until });
    if (!made) throw new Error("the range was not written");
    await recordAudit(tx, {
      what: "address-blocked",
      ...CONSOLE,
      subject: { type: "ip-block", id: made.network },
      details: { after: { reason: block.reason, until: made.blocked_until.toISOString() } },
    });
    return made;
  });
}

/** Unblocks a range by an operator's command. False: this range wasn't blocked; a wider one may contain it. */
export async function unblockFromConsole(db: Db, network: string): Promise<boolean> {
  return db.transaction(async (tx) => {
    const [gone] = await tx
      .delete(ipBlocks)
      .where(eq(ipBlocks.network, sql`network(${network}::inet)`))
      .returning();
    if (!gone) return false;
    await recordAudit(tx, {
      what: "address-unblocked",
      ...CONSOLE,
      subject: { type: "ip-block", id: gone.network },
      details: { before: { reason: gone.reason, until: gone.blocked_until.toISOString() } },
    });
    return true;
  });
}

/** Lists addresses in a range with an admin's session. */
export async function adminsWithin(db: Db, network: string): Promise<string[]> {
  const rows = await db
    .selectDistinct({ ip: sessions.ipAddress })
    .from(sessions)
    .innerJoin(roles, eq(roles.user_id, sessions.userId))
    .where(and(eq(roles.role, "admin"), sql`least(${sessions.expiresAt}, ${sessions.ends_at}) > now()`));
  return rows.flatMap(({ ip }) => (ip !== null && liesIn([network], ip) ? [ip] : []));
}

/** Unblocks a range. False: it wasn't blocked any more. */
export async function removeIpBlock(db: Db, actor: Actor, blockId: number): Promise<boolean> {
  return db.transaction(async (tx) => {
    const [gone] = await tx.delete(ipBlocks).where(eq(ipBlocks.block_id, blockId)).returning();
    if (!gone) return false;
    await recordAudit(tx, {
      what: "address-unblocked",
      actor_id: actor.user_id,
      origin: actor.origin,
      subject: { type: "ip-block", id: gone.network },
      details: { before: { reason: gone.reason, until: gone.blocked_until.toISOString() } },
    });
    return true;
  });
}

/** Removes expired blocks. */
export async function sweepIpBlocks(db: Db): Promise<void> {
  await db.delete(ipBlocks).where(lt(ipBlocks.blocked_until, sql`now()`));
}
