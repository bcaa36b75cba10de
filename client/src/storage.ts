// Files that are kept on the site: listed with the usual defaults, put there, taken away, and where the world finds them.
import type { StoredFile } from "./operations.ts";
import type { Answer, Call } from "./typed-call.ts";

export type ListOptions = {
  /** 100 unless said otherwise. */
  limit?: number;
  offset?: number;
  /** By name, ascending, unless said otherwise. */
  sortBy?: { column?: "name" | "created_at" | "updated_at"; order?: "asc" | "desc" };
  /** What the name has to hold. */
  search?: string;
};

const DEFAULTS = { limit: 100, offset: 0, sortBy: { column: "name", order: "asc" } } as const;

/** The files of one bucket. */
export type Bucket = {
  /** Files whose names begin with `prefix`. */
  list(prefix?: string, options?: ListOptions): Promise<Answer<StoredFile[]>>;
  /** Puts a picture there, in place of one of the same name. */
  upload(name: string, file: Blob | ArrayBuffer | Uint8Array<ArrayBuffer>): Promise<Answer<{ path: string }>>;
  /** Takes files away. The answer lists those that were there. */
  remove(names: string[]): Promise<Answer<StoredFile[]>>;
  /** Where everybody finds it. Nobody is asked whether it is there. */
  getPublicUrl(name: string): { data: { publicUrl: string } };
};

export type Storage = {
  /** The bucket `avatars` holds one file for each member, named by the member's id; `media` what admins uploaded. */
  from(bucket: "avatars" | "media"): Bucket;
};

/** Makes `client.storage`. */
export function createStorage(siteUrl: string, parts: { call: Call; token: () => Promise<string | null> }): Storage {
  return {
    from(bucket) {
      const call = async <T>(method: string, path: string, body: unknown): Promise<Answer<T>> =>
        parts.call<T>(method, path, { token: await parts.token(), body });
      const { sortBy } = DEFAULTS;
      return {
        list: (prefix = "", options = {}) =>
          call("post", `/storage/object/list/${bucket}`, {
            ...DEFAULTS,
            ...options,
            sortBy: { ...sortBy, ...options.sortBy },
            prefix,
          }),
        upload: (name, file) =>
          call(
            "post",
            `/storage/object/${bucket}/${encodeURIComponent(name)}`,
            file instanceof Blob ? file : new Blob([file], { type: "application/octet-stream" }),
          ),
        remove: (names) => call("delete", `/storage/object/${bucket}`, { prefixes: names }),
        getPublicUrl: (name) => ({
          data: { publicUrl: `${siteUrl}/${bucket}/${name.split("/").map(encodeURIComponent).join("/")}` },
        }),
      };
    },
  };
}
