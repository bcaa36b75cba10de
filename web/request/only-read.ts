// Addresses that are read and take nothing.
import type { HttpBindings } from "@hono/node-server";
import type { Context, Hono } from "hono";
import { answerBare } from "../messages.ts";

type Env = { Bindings: HttpBindings };

/** Mounts what answers GET and HEAD; every other method is answered 405, with those that are taken (RFC 9110, 15.5.6). */
export function mountOnlyRead(endpoint: Hono<Env>, path: string, answer: (c: Context<Env>) => Response): void {
  endpoint.get(path, answer);
  endpoint.all(path, (c) => {
    c.header("Allow", "GET, HEAD");
    return answerBare(c, "bare_only_read", 405);
  });
}
