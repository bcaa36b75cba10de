// Manages sessions of programs: signs in by the same function as the sign-in page, with its limits and timing, and
// renews by single-use refresh tokens.
import { z } from "zod";
import {
  ACCESS_S,
  findMemberByAccessToken,
  PROGRAM_NAME_MAX,
  type ProgramMember,
  type ProgramTokens,
  refreshProgramSession,
  turnIntoProgramSession,
} from "#domain/accounts/program-sessions.ts";
import { removeSession } from "#domain/accounts/sessions.ts";
import { recordAudit } from "#domain/site/audit.ts";
import { readSessionToken } from "../accounts/cookies.ts";
import type { Refusal } from "../accounts/refusal.ts";
import { takeSecondStep } from "../accounts/second-factor.ts";
import { signIn } from "../accounts/sign-in.ts";
import { ofAddress } from "../request/rate-limits.ts";
import type { Asked, Operation, Reply } from "./operation.ts";
import { problem, tooOften } from "./problem.ts";

/** A member, as their own programs see them. */
export const userShape = z.object({
  id: z.uuid(),
  email: z.string(),
  role: z.enum(["user", "moderator", "admin"]),
  user_nick_name: z.string(),
  avatar_url: z.string().nullable(),
  locale: z.enum(["en", "de"]),
});
const tokens = z.object({
  access_token: z.string().meta({ description: "Goes into `Authorization: Bearer`." }),
  refresh_token: z.string().meta({
    description: "Good for one use, which gives the next one. Used a second time it ends the session.",
  }),
  expires_in: z.int().meta({ description: "Seconds that the access token is good for." }),
  expires_at: z.int().meta({ description: "When it ends, in seconds since 1970." }),
  token_type: z.literal("bearer"),
  user: userShape,
});
const current = z.object({
  expires_in: z.int().meta({ description: "Seconds that the access token is good for." }),
  expires_at: z.int(),
  user: userShape,
});

const given = z.strictObject({
  email: z.string().max(254).default(""),
  password: z.string().max(4096).default(""),
  code: z.string().max(20).optional().meta({ description: "Of the authenticator app, where a second factor is on." }),
  recovery_code: z.string().max(40).optional().meta({ description: "Instead of `code`." }),
  program: z
    .string()
    .max(PROGRAM_NAME_MAX)
    .regex(/^(?=.*[^\s\p{Cc}\p{Cf}])[^\p{Cc}\p{Cf}]+$/u, "A name that can be seen.")
    .default("API")
    .meta({ description: "What the member's list of sessions calls it." }),
  locale: z.enum(["en", "de"]).default("en").meta({ description: "Of mails that follow from this." }),
});
const refresh = z.strictObject({ refresh_token: z.string().max(200) });

export const SESSION_SHAPES = {
  User: userShape,
  ProgramSession: tokens,
  CurrentSession: current,
  SignIn: given,
  Refresh: refresh,
};

const TAG = "Sessions of programs";
const REFRESH_TRIES = { tries: 120, seconds: 15 * 60 };

const unixSeconds = (at: Date) => Math.floor(at.getTime() / 1000);
export const showUser = (member: ProgramMember): z.infer<typeof userShape> => ({
  id: member.user_id,
  email: member.email,
  role: member.role,
  user_nick_name: member.user_nick_name,
  avatar_url: member.avatar_url,
  locale: member.locale,
});

async function tokensReply({ app }: Asked, made: ProgramTokens | null): Promise<Reply> {
  const member = made && (await findMemberByAccessToken(app.db, made.access_token));
  if (!made || !member) return notSignedIn("The session has ended.", "session_ended");
  const json: z.infer<typeof tokens> = {
    access_token: made.access_token,
    refresh_token: made.refresh_token,
    expires_in: ACCESS_S,
    expires_at: unixSeconds(made.expires_at),
    token_type: "bearer",
    user: showUser(member),
  };
  return { json };
}

const notSignedIn = (detail: string, code: string) =>
  problem(401, detail, { code, headers: { "WWW-Authenticate": "Bearer" } });

/** Turns a refusal of the sign-in pages into a problem. */
export function refusedSignIn(refusal: Refusal): Response {
  if (refusal.status === 429) return tooOften(refusal.wait_s);
  if (refusal.status === 401) {
    return refusal.reason === "code"
      ? notSignedIn("The code is not right, or it was used.", "second_factor_wrong")
      : notSignedIn("The address or the password is not right.", "wrong");
  }
  if (refusal.status === 403) {
    const texts: Record<string, string> = {
      unverified: "The address is not confirmed. A mail with a link is on its way.",
      closed: "This account is closed.",
      banned: "This account is banned.",
      sign_ups_closed: "This site takes no new accounts.",
      invitation: "This is no invitation, or it was used up.",
    };
    return problem(403, texts[refusal.reason] ?? "This account may not sign in.", { code: refusal.reason });
  }
  // The sentence of the specification.
  if (refusal.reason === "missing")
    return problem(422, "You must provide either an email or phone number and a password", { code: "missing" });
  const weak: Record<string, string> = {
    short: "This password is too short. Use at least 8 characters.",
    long: "This password is too long.",
    common: "This password is one of those that everybody tries first.",
    "like-email": "This password is the email address, or nearly.",
  };
  const detail = weak[refusal.reason];
  if (detail) return problem(422, detail, { errors: [{ field: "password", code: refusal.reason, detail }] });
  return problem(422, "This is no email address.", {
    errors: [{ field: "email", code: refusal.reason, detail: "This is no email address." }],
  });
}

/** Makes a request with the given cookies only: programs have none, and a browser's do not count here. */
export const bareRequest = (asked: Asked, cookies: string[]) =>
  new Request(asked.app.siteUrl, {
    headers: { Cookie: cookies.map((line) => line.split(";", 1)[0]).join("; "), "User-Agent": asked.visit.user_agent },
  });

async function signInProgram(asked: Asked): Promise<Reply> {
  const { app, visit } = asked;
  const { email, password, code, recovery_code, program, locale } = given.parse(asked.body);
  let signedIn = await signIn(app, bareRequest(asked, []), visit, { email, password, locale });
  if (signedIn.ok && signedIn.second_step) {
    const typed = code ?? recovery_code;
    if (typed === undefined)
      return notSignedIn("The account asks for a second factor: send `code` too.", "second_factor_required");
    const kind = code === undefined ? "recovery" : "app";
    signedIn = await takeSecondStep(app, bareRequest(asked, signedIn.headers.getSetCookie()), visit, {
      code: typed,
      kind,
    });
  }
  if (!signedIn.ok) return refusedSignIn(signedIn);
  const cookies = bareRequest(asked, signedIn.headers.getSetCookie()).headers.get("Cookie");
  const token = readSessionToken(cookies, app.siteUrl);
  return tokensReply(asked, token === null ? null : await turnIntoProgramSession(app.db, token, program.trim()));
}

export const SESSION_OPERATIONS: Operation[] = [
  {
    id: "signIn",
    method: "post",
    path: "/session",
    tag: TAG,
    access: "open",
    summary: "Sign a program in",
    about:
      'With the limits of the sign-in page, and as slow as that. Where a second factor is on, the first answer is 401 with `code` "second_factor_required"; send the same again with the code. The session stands among the member\'s, who can end it there.',
    body: given,
    gives: { status: 200, shape: tokens, about: "The session." },
    refuses: {
      401: "Address, password or code are not right, or a second factor is missing.",
      403: "The account may not sign in.",
    },
    reply: signInProgram,
  },
  {
    id: "refreshSession",
    method: "post",
    path: "/session/refresh",
    tag: TAG,
    access: "open",
    summary: "Go on with a session",
    about:
      "The access token before it ends with this. The session itself ends after 7 days without, and after 30 days.",
    body: refresh,
    gives: { status: 200, shape: tokens, about: "The session with new tokens." },
    refuses: { 401: "The token is unknown, or was used: the session has ended." },
    reply: async (asked) => {
      const { app, visit } = asked;
      const wait = await app.limits.consume(ofAddress("refresh", visit.ip, REFRESH_TRIES));
      if (wait !== null) return tooOften(wait);
      const { refresh_token } = refresh.parse(asked.body);
      return tokensReply(asked, await refreshProgramSession(app.db, refresh_token, visit));
    },
  },
  {
    id: "readSession",
    method: "get",
    path: "/session",
    tag: TAG,
    access: "session",
    summary: "Who is signed in",
    gives: { status: 200, shape: current, about: "The member, and when the access token ends." },
    reply: async ({ member }) =>
      member
        ? {
            json: {
              expires_in: Math.max(0, Math.round((member.expires_at.getTime() - Date.now()) / 1000)),
              expires_at: unixSeconds(member.expires_at),
              user: showUser(member),
            },
          }
        : notSignedIn("Nobody.", "session_ended"),
  },
  {
    id: "signOut",
    method: "delete",
    path: "/session",
    tag: TAG,
    access: "session",
    summary: "Sign out",
    gives: { status: 204, about: "The session has ended, and its live streams with it." },
    reply: async ({ app, member, visit }) => {
      if (member && (await removeSession(app.db, member.user_id, member.session_id)))
        await recordAudit(app.db, { what: "sign-out", actor_id: member.user_id, origin: visit });
      return { status: 204 };
    },
  },
];
