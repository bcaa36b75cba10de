// Implements the programs' operations for a person: contact the operator, sign up, and manage their own profile and
// avatar.
import { z } from "zod";
import type { ProgramMember } from "#domain/accounts/program-sessions.ts";
import { CONTACT_LIMITS, contactShape } from "#domain/inbox/contacts.ts";
import { type NameRefusal, updateProfile } from "#domain/members/profiles.ts";
import { type AvatarOutcome, dropAvatar, uploadAvatar } from "../accounts/avatar-actions.ts";
import { receiveContact } from "../accounts/contact.ts";
import { signUp } from "../accounts/sign-up.ts";
import { FILE_FORM_STATUS, readFileBytes } from "../forms/file-form.ts";
import { ofAccount } from "../request/rate-limits.ts";
import { fieldErrorsOf } from "./field-errors.ts";
import type { Asked, Operation, Reply } from "./operation.ts";
import { type ProblemStatus, problem, tooOften } from "./problem.ts";
import { bareRequest, refusedSignIn, showUser, userShape } from "./program-session-operations.ts";

const locale = z.enum(["en", "de"]);
const message = z.strictObject({
  name: z.string().max(CONTACT_LIMITS.name * 4),
  email: z.string().max(CONTACT_LIMITS.email),
  message: z.string().max(CONTACT_LIMITS.message * 4),
  locale: locale.default("en").meta({ description: "Of the answer that is hoped for." }),
});
const newAccount = z.strictObject({
  email: z.string().max(254).default(""),
  password: z.string().max(4096).default(""),
  invitation: z.string().max(60).default("").meta({ description: "Where the site asks for one." }),
  locale: locale.default("en"),
});
const profileChange = z.strictObject({
  user_nick_name: z.string().max(1_000).optional(),
  locale: locale.optional(),
});
const avatar = z.object({ avatar_url: z.string().nullable() });

export const ACCOUNT_SHAPES = {
  ContactMessage: message,
  NewAccount: newAccount,
  ProfileChange: profileChange,
  Avatar: avatar,
};

const TAG = "Accounts";
const NAME_TEXTS: Record<NameRefusal, string> = {
  short: "A name has 2 signs or more.",
  long: "A name has 32 signs at most.",
  characters: "A name holds letters or digits, and nothing that cannot be seen.",
  reserved: "This name is for those who run the site.",
  taken: "Somebody else has this name.",
};

/** Gets the member of an access token; the endpoint admits no other requests here. */
function memberOf({ member }: Asked): ProgramMember {
  if (!member) throw new Error("an operation of a session was reached without one");
  return member;
}

async function sendContact({ app, site, visit, member, body }: Asked): Promise<Reply> {
  const given = message.parse(body);
  const contact = contactShape.safeParse({ ...given, request: null });
  if (!contact.success)
    return problem(422, "The message is not right.", { errors: fieldErrorsOf(contact.error.issues) });
  const wait = await receiveContact(app, site.settings, { visit, member }, contact.data, given.locale);
  return wait === null ? { status: 204 } : tooOften(wait);
}

async function signUpProgram(asked: Asked): Promise<Reply> {
  const outcome = await signUp(asked.app, bareRequest(asked, []), asked.visit, newAccount.parse(asked.body));
  return outcome.ok ? { status: 204 } : refusedSignIn(outcome);
}

async function changeProfile(asked: Asked): Promise<Reply> {
  const { app, visit } = asked;
  const member = memberOf(asked);
  const { user_nick_name, locale } = profileChange.parse(asked.body);
  const wait = await app.limits.consume([ofAccount("user-name", member.user_id, { tries: 20, seconds: 3600 })]);
  if (wait !== null) return tooOften(wait);
  const changed = await updateProfile(
    app.db,
    { user_id: member.user_id, origin: visit },
    {
      ...(user_nick_name === undefined || user_nick_name === member.user_nick_name ? {} : { user_nick_name }),
      ...(locale === undefined ? {} : { locale }),
    },
  );
  if (!changed.ok) {
    const errors = [{ field: "user_nick_name", code: changed.reason, detail: NAME_TEXTS[changed.reason] }];
    return problem(422, NAME_TEXTS[changed.reason], { errors });
  }
  const { profile } = changed;
  return { json: showUser({ ...member, user_nick_name: profile.user_nick_name, locale: profile.locale }) };
}

/** Saves the picture in a request as the member's avatar. */
export async function putAvatar(asked: Asked): Promise<Reply> {
  const { app, visit, request } = asked;
  const member = memberOf(asked);
  const bytes = await readFileBytes(app, member, request);
  if (typeof bytes === "string") return avatarReply({ ok: false, status: FILE_FORM_STATUS[bytes], reason: bytes });
  const form = new FormData();
  const file = await fileIn(bytes, request.headers.get("Content-Type") ?? "");
  if (file) form.set("avatar", file);
  return avatarReply(await uploadAvatar(app, visit, member, form));
}

/** Gets the first file of a form, or the bytes themselves. */
export async function fileIn(bytes: Uint8Array<ArrayBuffer>, type: string): Promise<File | null> {
  if (!/^multipart\/form-data/i.test(type)) return new File([bytes], "avatar");
  const form = await new Response(bytes, { headers: { "Content-Type": type } }).formData().catch(() => null);
  return [...(form?.values() ?? [])].find((value) => value instanceof File) ?? null;
}

/** Makes the reply to a change of an avatar. */
export function avatarReply(outcome: AvatarOutcome): Reply {
  if (outcome.ok) return { json: { avatar_url: outcome.avatar_url } };
  if (outcome.reason === "limit") return tooOften(outcome.wait_s);
  const status = outcome.status as ProblemStatus;
  if (status === 503)
    return problem(503, "Pictures cannot be kept at the moment.", { headers: { "Retry-After": "60" } });
  return problem(status, "This is no picture that can be an avatar.", { code: outcome.reason });
}

export const ACCOUNT_OPERATIONS: Operation[] = [
  {
    id: "sendContact",
    method: "post",
    path: "/contact",
    tag: TAG,
    access: "open",
    summary: "Write to the people who run the site",
    about: "With the limits of the contact page.",
    body: message,
    asForm: true,
    gives: { status: 204, about: "The message is kept." },
    reply: sendContact,
  },
  {
    id: "signUp",
    method: "post",
    path: "/account",
    tag: TAG,
    access: "open",
    summary: "Sign up",
    about:
      "Where registration is open, or by an invitation. A mail with a link follows; the answer is the same for an address that has an account.",
    body: newAccount,
    gives: { status: 204, about: "A mail is on its way." },
    refuses: { 403: "Registration is closed, or the invitation is none." },
    reply: signUpProgram,
  },
  {
    id: "readProfile",
    method: "get",
    path: "/profile",
    tag: TAG,
    access: "session",
    summary: "One's own profile",
    gives: { status: 200, shape: userShape, about: "The profile." },
    reply: async (asked) => ({ json: showUser(memberOf(asked)) }),
  },
  {
    id: "updateProfile",
    method: "put",
    path: "/profile",
    tag: TAG,
    access: "session",
    summary: "Change one's own profile",
    about: "What is not said stays as it is.",
    body: profileChange,
    gives: { status: 200, shape: userShape, about: "The profile as it stands now." },
    reply: changeProfile,
  },
  {
    id: "updateAvatar",
    method: "put",
    path: "/avatar",
    tag: TAG,
    access: "session",
    summary: "Change one's own avatar",
    about:
      "Any picture up to 5 MB; its middle square is kept, at most 512 pixels wide, without what else the file tells.",
    file: { about: "The picture, or a form with it." },
    gives: { status: 200, shape: avatar, about: "Where it is." },
    refuses: { 413: "It is too heavy.", 422: "It is no picture." },
    reply: putAvatar,
  },
  {
    id: "removeAvatar",
    method: "delete",
    path: "/avatar",
    tag: TAG,
    access: "session",
    summary: "Take one's own avatar away",
    gives: { status: 200, shape: avatar, about: "There is none any more." },
    reply: async (asked) => avatarReply(await dropAvatar(asked.app, asked.visit, memberOf(asked))),
  },
];
