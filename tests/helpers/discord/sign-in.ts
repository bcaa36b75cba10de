/** Discord's two addresses that a sign-in by it asks, answered within this process: Discord itself is out of a test's reach. */
import type { Browser } from "../browser.ts";

export type DiscordProfile = { id: string; email: string; verified: boolean };

/** Answers in Discord's place until `stop`. */
export function answerAsDiscord() {
  const realFetch = globalThis.fetch;
  const discord = {
    /** What Discord says of the person who comes from there. */
    profile: { id: "1", email: "nobody@example.org", verified: false } as DiscordProfile,
    /** How often the site has asked whether a code is good. */
    asked: 0,
    /** With which the site offers it. */
    settings: { DISCORD_CLIENT_ID: "123456789012345678", DISCORD_CLIENT_SECRET: "a secret of Discord's" },
    /** Comes back from where the site has sent this browser, as somebody of this profile; resolves to where they are led. */
    async comeBack(at: Browser, profile: DiscordProfile, sentTo: string | null): Promise<string> {
      discord.profile = profile;
      const state = new URL(sentTo ?? "").searchParams.get("state");
      const back = await at.get(`/api/auth/callback/discord?code=a-code&state=${state}`);
      return String(back.location).replace(/^https?:\/\/[^/]+/, "");
    },
    stop() {
      globalThis.fetch = realFetch;
    },
  };
  globalThis.fetch = async (input, init) => {
    const url = new URL(input instanceof Request ? input.url : input);
    if (url.hostname !== "discord.com") return realFetch(input, init);
    if (!url.pathname.endsWith("/oauth2/token"))
      return Response.json({ ...discord.profile, username: "somebody", discriminator: "0", avatar: null });
    discord.asked += 1;
    return Response.json({ access_token: "a token of Discord", token_type: "Bearer", scope: "identify email" });
  };
  return discord;
}
