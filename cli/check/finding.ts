/** Finding of `spawnpoint check`, one line each: what was checked, the result, and the fix. */
import { access, constants } from "node:fs/promises";

export type Finding = {
  check: string;
  state: "ok" | "warning" | "wrong";
  says: string;
  /** Fix for the operator. */
  fix?: string;
};

export const ok = (check: string, says: string): Finding => ({ check, state: "ok", says });
export const warning = (check: string, says: string, fix: string): Finding => ({ check, state: "warning", says, fix });
export const wrong = (check: string, says: string, fix: string): Finding => ({ check, state: "wrong", says, fix });

/** Fix for everything that this user may not read. */
export const AS_OWNER = "Run the check as the user that runs the site: until then nobody can tell.";

/** Returns whether this user can't read a file or folder: even its existence is unknown then. */
export async function isShut(place: string): Promise<boolean> {
  const error = await access(place, constants.R_OK).catch((reason: NodeJS.ErrnoException) => reason);
  return error?.code === "EACCES";
}

/** Returns an error's text without the credentials of addresses in it. */
export function errorText(error: unknown): string {
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
  const { message = String(cause), code } = cause as { message?: string; code?: string };
  const first = cause instanceof AggregateError && cause.errors[0] instanceof Error ? cause.errors[0].message : message;
  const text = code && !first.includes(code) ? `${code} ${first}` : first;
  return (
    text
      .replace(/\/\/[^/@\s]*@/g, "//…@")
      .split("\n", 1)[0]
      ?.slice(0, 300) ?? ""
  );
}

/** Runs a check; an error or a timeout of `limitMs` is a finding too. */
export async function guard(check: string, limitMs: number, look: () => Promise<Finding[]>): Promise<Finding[]> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<Finding[]>((resolve) => {
    const finding = wrong(
      check,
      `no answer within ${limitMs / 1000} s`,
      "Look at the network and at whoever should answer.",
    );
    timer = setTimeout(resolve, limitMs, [finding]);
  });
  const looked = look().catch((error) => [
    wrong(check, errorText(error), "This check itself failed; its text is above."),
  ]);
  return Promise.race([looked, late]).finally(() => clearTimeout(timer));
}
