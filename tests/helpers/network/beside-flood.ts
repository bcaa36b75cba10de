/** What others do while one stranger floods a site: pages, sign-ins, messages and an admin's acts, each from an own address. */
import { fork } from "node:child_process";
import { once } from "node:events";
import { request } from "node:http";
import path from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { hashPassword } from "#domain/accounts/passwords.ts";
import { createUser } from "#domain/accounts/users.ts";
import { updateRole } from "#domain/members/roles.ts";
import { sealFormMoment } from "#web/forms/form-age.ts";
import type { TestDatabase } from "../database.ts";
import type { FloodOrder, FloodTold } from "./flooder.ts";

const PASSWORD = "a lamp in the harbour";
const ADMIN = "boss@example.org";
/** Longer than anybody waits: what was not answered by then was not answered. */
const LIMIT_MS = 30_000;

export type FloodedSite = { port: number; database: TestDatabase; secret: string };
/** `answered`: as it should be, of all that were asked, with how long each took in milliseconds. */
export type Tally = { asked: number; answered: number; times: number[]; wrong: { [status: string]: number } };
export type Kind = "pages" | "sign-ins" | "messages" | "admin acts";

type Ask = { path: string; ip: string; cookie?: string; form?: Record<string, string> };

/** Each request over a connection of its own, from another address of this machine. */
function ask(
  { port }: FloodedSite,
  { path: at, ip, cookie, form }: Ask,
): Promise<{ status: number; cookies: string[] }> {
  const body = form ? new URLSearchParams(form).toString() : undefined;
  const headers: Record<string, string> = { Host: `127.0.0.1:${port}`, Accept: "text/html" };
  if (cookie) headers.Cookie = cookie;
  if (body !== undefined) {
    headers["Content-Type"] = "application/x-www-form-urlencoded";
    headers["Content-Length"] = String(Buffer.byteLength(body));
    headers["Sec-Fetch-Site"] = "same-origin";
  }
  return new Promise((resolve) => {
    const sent = request(
      {
        port,
        path: at,
        host: "127.0.0.1",
        localAddress: ip,
        agent: false,
        headers,
        method: body === undefined ? "GET" : "POST",
      },
      (answer) => {
        const told = { status: answer.statusCode ?? 0, cookies: answer.headers["set-cookie"] ?? [] };
        answer
          .resume()
          .on("end", () => resolve(told))
          .on("error", () => resolve({ status: 0, cookies: [] }));
      },
    );
    sent.on("error", () => resolve({ status: 0, cookies: [] }));
    sent.setTimeout(LIMIT_MS, () => sent.destroy());
    sent.end(body);
  });
}

/** Makes the accounts, signs the admin in, and returns what lets everybody act for so many seconds. */
export async function gatherCrowd(site: FloodedSite, members = 12) {
  const { db, sql } = site.database;
  const passwordHash = await hashPassword(PASSWORD);
  const emails = Array.from({ length: members }, (_, n) => `member-${n}@example.org`);
  for (const email of [ADMIN, ...emails]) {
    const { id } = await createUser(db, { email, passwordHash, locale: "en", emailVerified: true });
    if (email === ADMIN) await updateRole(db, id, "admin");
  }
  const signIn = (email: string, ip: string) =>
    ask(site, { path: "/login/", ip, form: { intent: "login", email, password: PASSWORD } });
  const { status, cookies } = await signIn(ADMIN, "127.0.0.9");
  if (status !== 302) throw new Error(`the admin's sign-in answered ${status}`);
  const cookie = cookies.map((line) => line.split(";", 1)[0]).join("; ");
  let count = 0;

  const acts: Record<Kind, () => Promise<boolean | number>> = {
    pages: async () => {
      const { status } = await ask(site, { path: "/forgot-password", ip: address() });
      return status === 200 || status;
    },
    "sign-ins": async () => {
      const { status } = await signIn(emails[count % emails.length] ?? "", address());
      return status === 302 || status;
    },
    messages: async () => {
      const form = {
        opened: sealFormMoment(site.secret, Date.now() - 10_000),
        name: "Ada",
        email: "ada@example.org",
        message: `Hello ${count}`,
      };
      const { status } = await ask(site, { path: "/contact", ip: address(), form });
      return status === 302 || status;
    },
    "admin acts": async () => {
      const form = { network: `203.0.113.${count % 250}`, reason: "floods", days: "1" };
      const { status } = await ask(site, { path: "/admin/people/blocked", ip: "127.0.0.9", cookie, form });
      return status === 200 || status;
    },
  };
  const address = () => {
    count += 1;
    return `127.0.${1 + (count >> 7)}.${1 + (count & 127)}`;
  };

  /** The admin is one person, who waits for an answer before the next act. */
  let isAdminWaiting = false;
  return async function act(seconds: number, everyMs = 250): Promise<Record<Kind, Tally>> {
    await sql`delete from ip_blocks`;
    await sql`delete from rate_limits`;
    await sql`delete from contacts`;
    const tallies = {} as Record<Kind, Tally>;
    const running: Promise<void>[] = [];
    const until = performance.now() + seconds * 1000;
    while (performance.now() < until) {
      for (const kind of Object.keys(acts) as Kind[]) {
        if (kind === "admin acts" && isAdminWaiting) continue;
        if (kind === "admin acts") isAdminWaiting = true;
        tallies[kind] ??= { asked: 0, answered: 0, times: [], wrong: {} };
        const tally = tallies[kind];
        tally.asked += 1;
        const began = performance.now();
        running.push(
          acts[kind]().then((right) => {
            tally.times.push(performance.now() - began);
            if (kind === "admin acts") isAdminWaiting = false;
            if (right === true) tally.answered += 1;
            else tally.wrong[String(right)] = (tally.wrong[String(right)] ?? 0) + 1;
          }),
        );
      }
      await pause(everyMs);
    }
    await Promise.all(running);
    return tallies;
  };
}

/** Starts a flood from a process of its own. `stop` says what it got. */
export async function startFlood(order: FloodOrder): Promise<{ stop(): Promise<FloodTold> }> {
  const child = fork(path.join(import.meta.dirname, "flooder.ts"));
  await once(child, "message");
  child.send(order);
  return {
    async stop() {
      const told = once(child, "message");
      child.send("stop");
      const [result] = (await told) as [FloodTold];
      child.disconnect();
      await once(child, "exit");
      return result;
    },
  };
}
