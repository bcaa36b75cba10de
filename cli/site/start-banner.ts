/** Removes demo content from a real site, and prints how to log in. */
import { connectDatabase, type Db } from "#db/client.ts";
import { endDemo } from "#demo/end-demo.ts";
import { ensureFirstAdminLink } from "#domain/accounts/first-admin.ts";
import { createDemoAccounts, removeDemoAccounts } from "#domain/members/demo-accounts.ts";

/** Removes what an earlier start with the demo left; for a start without it, before anything is shown. */
export async function leaveDemo(databaseUrl: string): Promise<void> {
  await withDatabase(databaseUrl, async (db) => {
    await endDemo(db);
    await removeDemoAccounts(db);
  });
}

/**
 * Returns the lines for the terminal: the demo's accounts, or the link that creates the first admin. Passwords and links are
 * created here and never stored in plain text.
 */
export async function startBanner(databaseUrl: string, { demo, siteUrl }: { demo: boolean; siteUrl: string }) {
  return withDatabase(databaseUrl, async (db) => {
    if (demo) {
      const accounts = await createDemoAccounts(db);
      return [
        "Accounts of this demo, with passwords made for this run:",
        ...accounts.map(({ role, email, password }) => `  ${role.padEnd(9)}  ${email.padEnd(22)}  ${password}`),
      ];
    }
    const link = await ensureFirstAdminLink(db);
    if (link === null) return [];
    return [
      `Nobody administers this site yet. Make your account within a day, and be led through name, games and addresses: ${siteUrl}${link}`,
    ];
  });
}

async function withDatabase<T>(databaseUrl: string, work: (db: Db) => Promise<T>): Promise<T> {
  const { db, close } = connectDatabase({ databaseUrl }, { max: 1, applicationName: "spawnpoint start" });
  try {
    return await work(db);
  } finally {
    await close();
  }
}
