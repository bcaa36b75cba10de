// Implements files in buckets, with the paths and shapes of existing storage clients: a member's own avatar, and for
// admins all files.
import { z } from "zod";
import { BUCKETS } from "#domain/media/buckets.ts";
import { typeOfFile } from "#domain/media/files.ts";
import { findMedia, removeFoundMedia } from "#domain/media/media-list.ts";
import { listStoredFiles } from "#domain/media/stored-files.ts";
import { AVATAR_BUCKET } from "#domain/members/avatars.ts";
import { findProfile } from "#domain/members/profiles.ts";
import type { StoredFile } from "#outside/object-storage.ts";
import { dropAvatar } from "../accounts/avatar-actions.ts";
import { avatarReply, putAvatar } from "./account-operations.ts";
import { isAllowed } from "./authenticate.ts";
import type { Asked, Operation, Reply } from "./operation.ts";
import { problem } from "./problem.ts";
import { actorOf, unlessStoreFails } from "./records.ts";

const bucket = z.enum(["avatars", "media"]);
const list = z.object({
  prefix: z.string().max(200).default("").meta({ description: "How the names begin." }),
  limit: z.int().min(1).max(1_000).default(100),
  offset: z.int().min(0).max(1_000_000).default(0),
  sortBy: z
    .object({
      column: z.enum(["name", "created_at", "updated_at", "last_accessed_at"]).default("name"),
      order: z.enum(["asc", "desc"]).default("asc"),
    })
    .prefault({}),
  search: z.string().max(200).default("").meta({ description: "What the names hold." }),
});
const file = z.object({
  name: z.string(),
  id: z.string().nullable(),
  created_at: z.iso.datetime().nullable(),
  updated_at: z.iso.datetime().nullable(),
  last_accessed_at: z.iso.datetime().nullable(),
  metadata: z.object({ size: z.int().min(0), mimetype: z.string(), cacheControl: z.string() }).nullable(),
});
const files = z.array(file);
const removal = z.object({ prefixes: z.array(z.string().max(200)).min(1).max(100) });
const stored = z.object({ path: z.string(), fullPath: z.string() });

export const STORAGE_SHAPES = {
  FileQuery: list,
  StoredFile: file,
  StoredFiles: files,
  FileRemoval: removal,
  UploadedFile: stored,
};

const TAG = "Files";
const params = z.object({ bucket });

const show = (bucketName: string, { key, size, changed_at }: StoredFile): z.infer<typeof file> => {
  const at = changed_at.toISOString();
  const cacheControl = BUCKETS.find(({ name }) => name === bucketName)?.cacheControl ?? "no-store";
  return {
    name: key,
    id: key.replace(/\.\w+$/, ""),
    created_at: at,
    updated_at: at,
    last_accessed_at: at,
    metadata: { size, mimetype: typeOfFile(key), cacheControl },
  };
};

const notYours = () => problem(403, "A member reaches only their own avatar.", { code: "permission" });
const needs = (scope: string) => problem(403, `This key has no scope "${scope}".`, { code: "scope" });

async function ownAvatar({ app }: Asked, userId: string): Promise<StoredFile[]> {
  const key = `${userId}.webp`;
  const bytes = await app.storage.find(AVATAR_BUCKET, key);
  const profile = bytes && (await findProfile(app.db, userId));
  return bytes && profile ? [{ key, size: bytes.length, changed_at: profile.updated_at }] : [];
}

async function listFiles(asked: Asked): Promise<Reply> {
  const { bucket: name } = params.parse(asked.params);
  const query = list.parse(asked.body);
  const { key, member } = asked;
  if (key && !key.scopes.includes("admin:read")) return needs("admin:read");
  if (!key && name !== AVATAR_BUCKET && !isAllowed(asked, "admin:read")) return notYours();
  return unlessStoreFails(asked, async () => {
    if (member && name === AVATAR_BUCKET) {
      const own = (await ownAvatar(asked, member.user_id)).filter(
        (one) => one.key.startsWith(query.prefix) && one.key.includes(query.search),
      );
      return { json: own.slice(query.offset, query.offset + query.limit).map((one) => show(name, one)) };
    }
    const { column, order } = query.sortBy;
    const found = await listStoredFiles(asked.app.storage, {
      ...query,
      bucket: name,
      by: column === "name" ? "name" : "changed_at",
      descending: order === "desc",
    });
    return { json: found.map((one) => show(name, one)) };
  });
}

/** Checks for the member's own avatar, with or without its extension. */
const isOwn = (asked: Asked, name: string) => name.replace(/\.webp$/, "") === asked.member?.user_id;

async function upload(asked: Asked): Promise<Reply> {
  const { bucket: name, path } = asked.params;
  if (name !== AVATAR_BUCKET)
    return problem(403, "Pictures of games are uploaded to their game.", { code: "elsewhere" });
  if (!isOwn(asked, String(path))) return notYours();
  const reply = await putAvatar(asked);
  if (reply instanceof Response) return reply;
  const key = `${asked.member?.user_id}.webp`;
  return { json: { path: key, fullPath: `${AVATAR_BUCKET}/${key}` } };
}

async function remove(asked: Asked): Promise<Reply> {
  const { bucket: name } = params.parse(asked.params);
  const { prefixes } = removal.parse(asked.body);
  const { app, key, member, visit } = asked;
  if (key && !key.scopes.includes("games:write")) return needs("games:write");
  return unlessStoreFails(asked, async () => {
    if (name === AVATAR_BUCKET) {
      if (!member || !prefixes.every((one) => isOwn(asked, one))) return notYours();
      const before = await ownAvatar(asked, member.user_id);
      const outcome = await dropAvatar(app, visit, member);
      return outcome.ok ? { json: before.map((one) => show(name, one)) } : avatarReply(outcome);
    }
    if (!isAllowed(asked, "games:write")) return notYours();
    const wanted = (await findMedia(app)).filter(({ files }) => files.some((one) => prefixes.includes(one.key)));
    const used = wanted.find(({ removable }) => !removable);
    if (used) return problem(409, `The picture ${used.media_id} is in use, or was uploaded within the hour.`);
    for (const picture of wanted) await removeFoundMedia(app, actorOf(asked), picture);
    return { json: wanted.flatMap((picture) => picture.files.map((one) => show(name, one))) };
  });
}

export const STORAGE_OPERATIONS: Operation[] = [
  {
    id: "listFiles",
    method: "post",
    path: "/storage/object/list/{bucket}",
    tag: TAG,
    access: "known",
    summary: "The files of a bucket",
    about: "A member's own avatar; for admins all uploaded pictures, and by a key all avatars too.",
    params,
    body: list,
    gives: { status: 200, shape: files, about: "The files, by name unless said otherwise." },
    refuses: { 403: "These are not one's own." },
    reply: listFiles,
  },
  {
    id: "uploadFile",
    method: "post",
    path: "/storage/object/{bucket}/{path}",
    tag: TAG,
    access: "session",
    summary: "Upload one's own avatar",
    params: params.extend({ path: z.string().min(1).max(200) }),
    file: { about: "The picture, or a form with it." },
    gives: { status: 200, shape: stored, about: "Where it is." },
    refuses: {
      403: "It is not one's own.",
      413: "It is too heavy.",
      422: "It is no picture.",
    },
    reply: upload,
  },
  {
    id: "removeFiles",
    method: "delete",
    path: "/storage/object/{bucket}",
    tag: TAG,
    access: "known",
    summary: "Take files away",
    about: "One's own avatar; for admins also pictures that nothing uses, each with all its sizes.",
    params,
    body: removal,
    gives: { status: 200, shape: files, about: "What was there." },
    refuses: { 403: "These are not one's own.", 409: "A picture is in use." },
    reply: remove,
  },
];
