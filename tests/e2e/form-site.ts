/** A site on which somebody is shown every form, opened at another address than the printed one. */

import { createApiKey } from "#domain/accounts/api-keys.ts";
import { createInvitation } from "#domain/accounts/invitations.ts";
import { createToken } from "#domain/accounts/one-time-tokens.ts";
import { readSecret } from "#domain/accounts/secrets.ts";
import { createUser } from "#domain/accounts/users.ts";
import { startBatch } from "#domain/game-servers/address-batches.ts";
import { banUser } from "#domain/members/acts.ts";
import { follow } from "#domain/notifications/follows.ts";
import { sealEnd } from "#domain/notifications/mail-ends.ts";
import { registerMailbox } from "#domain/notifications/targets.ts";
import { createIpBlock } from "#domain/site/ip-blocks.ts";
import { startAccessSite } from "./access-site.ts";

export type FormSite = Awaited<ReturnType<typeof startFormSite>>;

const DAY_S = 24 * 3600;

export async function startFormSite() {
  const site = await startAccessSite({ demo: false, elsewhere: true });
  const { db, sql, values } = site;
  const [admin] = await sql<{ user_id: string }[]>`select user_id from users where email = 'admin@example.org'`;
  const banned = await createUser(db, {
    email: "banned@example.org",
    passwordHash: "nothing",
    locale: "en",
    emailVerified: true,
  });
  if (!admin) throw new Error("there is no admin");
  const actor = { user_id: admin.user_id, origin: { ip: "127.0.0.1", user_agent: "test" } };
  await banUser(db, actor, banned.id, { lasts: "good", reason: "Because" });
  await createInvitation(db, actor, { note: "For friends", uses: 2, days: 7 });
  await createIpBlock(db, actor, { network: "198.51.100.7", reason: "Because", days: "7" });
  const batch = await startBatch(db, admin.user_id, "10.1.2.3:27015\n127.0.0.1:9999 - Nobody");
  const [last] = await sql<
    { game_id: number }[]
  >`select game_id from games order by sort_order desc, game_id desc limit 1`;
  await sql`insert into passkeys (user_id, name, public_key, credential_id, counter, device_type, backed_up)
    values (${values.userId}, 'A key', 'nothing', 'nothing', 0, 'multiDevice', true)`;
  await sql`insert into accounts (user_id, provider, provider_account_id) values (${values.userId}, 'discord', '1')`;
  await sql`insert into sessions (user_id, token_hash, expires_at, user_agent)
    values (${values.userId}, 'nothing', now() + interval '1 day', 'Mozilla/5.0 (X11; Linux x86_64) Firefox/140.0')`;
  await sql`insert into notification_targets (kind, user_id, address_hash) values ('push', ${values.userId}, 'a device')`;
  const mailbox = await registerMailbox(db, values.userId, "en");
  // The game: a game server without an address is hidden, which nobody may follow.
  for (const kind of ["server_up", "seat_free", "plan_soon", "news"] as const)
    if (!(await follow(db, mailbox, { game_id: Number(values.gameId), kind })).ok)
      throw new Error(`no ${kind} followed`);
  const endMails = sealEnd((await readSecret(site.dataDir, "auth")) ?? "", {
    target_id: mailbox,
    kind: "seat_free",
    server_id: null,
    game_id: Number(values.gameId),
  });
  await sql`update profiles set avatar_url = '/avatars/nothing' where user_id = ${values.userId}`;
  return {
    ...site,
    ids: {
      banned: banned.id,
      lastGame: String(last?.game_id),
      batch: batch.ok ? String(batch.batch_id) : "",
    },
    tokens: { ...site.tokens, setup: await createToken(db, "first-admin", {}, DAY_S), endMails },
    /** A key of the admin's, which goes with their role. */
    makeKey: () => createApiKey(db, actor, { note: "A bot", days: 30, scopes: ["admin:read"] }),
  };
}
