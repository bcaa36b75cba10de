// Mounts read-only addresses.
import type { HttpBindings } from "@hono/node-server";
import type { Context, Hono } from "hono";
import { answerBare } from "../messages.ts";

type Env = { Bindings: HttpBindings };

/** Mounts a GET and HEAD endpoint; answers every other method with 405 and the allowed ones (RFC 9110, 15.5.6). */
export function mountOnlyRead(endpoint: Hono<Env>, path: string, answer: (c: Context<Env>) => Response): void {
  endpoint.get(path, answer);
  endpoint.all(path, (c) => {
    c.header("Allow", "GET, HEAD");
    return answerBare(c, "bare_only_read", 405);
  });
}
