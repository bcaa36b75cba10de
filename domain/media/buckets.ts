// Lists every bucket that stores files.
import { AVATAR_BUCKET, AVATAR_CACHE } from "../members/avatars.ts";
import { MEDIA_BUCKET, MEDIA_CACHE } from "./files.ts";

export type Bucket = {
  name: string;
  cacheControl: string;
};

export const BUCKETS: readonly Bucket[] = [
  { name: AVATAR_BUCKET, cacheControl: AVATAR_CACHE },
  { name: MEDIA_BUCKET, cacheControl: MEDIA_CACHE },
];
