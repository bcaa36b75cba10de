/** A pretend Epic on loopback, as far as game servers are asked about: tokens, and the sessions at an address. */
import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { TestContext } from "node:test";

export type EpicAsked = { path: string; authorization: string; type: string; body: string; at: number };
export type EpicSession = Record<string, unknown>;

export const EPIC_ACCESS = "client-1:s3cret+/=:deployment-1";

/** A session as Epic tells of it. */
export const epicSession = (address: string, port: number, more: EpicSession = {}): EpicSession => ({
  deployment: "deployment-1",
  lastUpdated: "2026-11-22T21:00:00.000Z",
  totalPlayers: 3,
  settings: { maxPublicPlayers: 70 },
  publicPlayers: ["0002a1b2c3d4"],
  attributes: {
    ADDRESS_s: address,
    ADDRESSBOUND_s: `0.0.0.0:${port}`,
    CUSTOMSERVERNAME_s: "Midgard",
    MAPNAME_s: "TheIsland_WP",
    SERVERPASSWORD_b: true,
    BUILDID_s: "58",
    MINORBUILDID_s: "12",
  },
  ...more,
});

export type PretendEpic = {
  origin: string;
  asked: EpicAsked[];
  /** The most questions that were under way at one time. */
  mostAtOnce: number;
  /** What it knows, by address. */
  sessions: Map<string, unknown>;
  /** Answers in place of what it would say; false: as usual. */
  misbehave: (asked: EpicAsked, response: ServerResponse) => boolean;
  /** Tokens given out so far are worth nothing any more. */
  revoke(): void;
};

export async function startEpicService(context: Pick<TestContext, "after">): Promise<PretendEpic> {
  let tokens = 0;
  let atOnce = 0;
  const valid = new Set<string>();
  const epic: PretendEpic = {
    origin: "",
    asked: [],
    mostAtOnce: 0,
    sessions: new Map(),
    misbehave: () => false,
    revoke: () => valid.clear(),
  };

  const answer = (asked: EpicAsked): [status: number, json: unknown] => {
    const basic = `Basic ${Buffer.from("client-1:s3cret+/=").toString("base64")}`;
    if (asked.path.startsWith("/auth/")) {
      if (asked.authorization !== basic)
        return [401, { errorCode: "errors.com.epicgames.common.oauth.invalid_client" }];
      const token = `token-${++tokens}`;
      valid.add(token);
      return [200, { access_token: token, token_type: "bearer", expires_in: 3600 }];
    }
    if (!valid.has(asked.authorization.replace("Bearer ", ""))) return [401, { errorCode: "unauthorized" }];
    const { criteria } = JSON.parse(asked.body);
    return [200, { sessions: epic.sessions.get(criteria[0].value) ?? [], count: 1 }];
  };

  const server = createServer(async (request: IncomingMessage, response) => {
    const { url = "", headers } = request;
    const body = Buffer.concat(await request.toArray()).toString();
    const type = headers["content-type"] ?? "";
    const asked = { path: url, authorization: headers.authorization ?? "", type, body, at: performance.now() };
    epic.asked.push(asked);
    epic.mostAtOnce = Math.max(epic.mostAtOnce, ++atOnce);
    response.on("close", () => {
      atOnce -= 1;
    });
    if (epic.misbehave(asked, response)) return;
    const [status, json] = answer(asked);
    response.writeHead(status, { "Content-Type": "application/json" }).end(JSON.stringify(json));
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  context.after(() => {
    server.close();
    server.closeAllConnections();
  });
  const at = server.address();
  epic.origin = `http://127.0.0.1:${typeof at === "object" && at ? at.port : 0}`;
  return epic;
}
