/** `spawnpoint create-admin EMAIL`: creates an admin, or promotes a member, and prints the link to set the password. */
import { readConfig } from "#config";
import { connectDatabase } from "#db/client.ts";
import { createAdmin } from "#domain/accounts/first-admin.ts";
import { isEmail } from "#domain/accounts/users.ts";
import { databaseOf } from "../site/running-database.ts";
import { typedCommand } from "../typed-command.ts";

export async function run(args: string[]): Promise<number> {
  const [email] = args;
  if (args.length !== 1 || email === undefined || !isEmail(email)) {
    console.error(`Usage: ${typedCommand("create-admin you@example.org")}`);
    return 2;
  }
  const config = readConfig();
  const { db, close } = connectDatabase(
    { databaseUrl: await databaseOf(config) },
    { max: 1, applicationName: "spawnpoint" },
  );
  try {
    const { token, made, second_factor_removed } = await createAdmin(db, email);
    console.log(made ? `${email} is an admin now.` : `${email} had an account and is an admin now.`);
    if (second_factor_removed) console.log("The second factor was removed. It can be set up anew in the settings.");
    console.log("Set the password here, within a day; the link works once:");
    console.log(`${config.siteUrl}/reset-password?token=${token}`);
    return 0;
  } finally {
    await close();
  }
}
