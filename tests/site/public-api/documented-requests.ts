/** For each operation a request that goes well, and the same request spoilt so that a certain answer is due. */
import { createHash } from "node:crypto";
import type { DescribedOperation } from "#web/api/reference/document.ts";
import { PASSWORD } from "../../helpers/account-site.ts";
import {
  api,
  fresh,
  ids,
  json,
  keys,
  made,
  makeToken,
  picture,
  revisionOf,
  type Sent,
  send,
  serverForm,
  signedIn,
  site,
  storePicture,
  TOKEN,
  tokens,
} from "./documented-site.ts";

const WRONG_KEY = `spk_${"x".repeat(43)}`;

/** A request that goes well, for each operation by name. */
export async function good(name: string, method: string, path: string): Promise<Sent> {
  const sent: Sent = {
    method,
    path: path.replace("{server_id}", String(ids.server_id)).replace("{game_id}", String(ids.game_id)),
    headers: {},
  };
  const operation = api.paths[path]?.[method];
  if (operation?.security.some((one) => "key" in one)) sent.headers.Authorization = `Bearer ${keys.all}`;
  else if (operation?.security.some((one) => "session" in one) && operation.security.length === 1)
    sent.headers.Authorization = `Bearer ${name === "signOut" ? tokens.out : tokens.one}`;
  if (operation?.requestBody && "application/json" in operation.requestBody.content) Object.assign(sent.headers, json);
  sent.path = sent.path
    .replace("{bucket}", name === "uploadFile" ? "avatars" : "media")
    .replace("{path}", `${ids.member}.webp`);
  if (["updateAvatar", "uploadFile", "updatePicture"].includes(name)) sent.body = new Blob([picture]);
  if (name === "updateGuide") {
    const { etag, guide } = await revisionOf(sent.path);
    sent.headers["If-Match"] = etag;
    const title_en = `Sail ${Math.random()}`;
    sent.body = JSON.stringify({
      ...guide,
      boxes: [{ title_en, title_de: "", text_en: "", text_de: "", links: [] }],
    });
  }
  if (name === "updateGameOrder" || name === "updateServerOrder")
    sent.body = JSON.stringify({ ids: (await revisionOf(sent.path)).ids });
  // Another game server's than that of the heartbeats.
  if (name.endsWith("HeartbeatToken")) sent.path = sent.path.replace(/\d+/, String(ids.other_id));
  if (name === "removeHeartbeatToken") await makeToken(sent.path);
  if (name === "deleteMedia") sent.path = sent.path.replace("{media_id}", await storePicture(2 * 3_600_000));
  if (name === "listFiles") sent.body = "{}";
  if (name === "removeFiles") sent.body = JSON.stringify({ prefixes: ["none-of-this-name.webp"] });
  if (name === "sendContact")
    sent.body = JSON.stringify({ name: "Ada", email: "ada@example.org", message: "Is it up?" });
  if (name === "updateProfile") sent.body = JSON.stringify({ user_nick_name: "Ada of the API", locale: "de" });
  if (name === "signUp") {
    await site.sql`delete from site_settings where setting_key = 'registration'`;
    sent.body = JSON.stringify({ email: `new${Math.random()}@example.org`, password: PASSWORD });
  }
  if (name === "signIn") sent.body = JSON.stringify({ email: "ada@example.org", password: PASSWORD });
  if (name === "refreshSession")
    sent.body = JSON.stringify({ refresh_token: (await signedIn("ada@example.org")).refresh_token });
  if (name === "createGame") sent.body = JSON.stringify({ game_name: "Luanti", game_acronym: "LUA" });
  if (name === "createServer") sent.body = JSON.stringify(serverForm());
  if (name === "updateGame" || name === "updateServer") {
    const { etag, record } = await revisionOf(sent.path);
    sent.headers["If-Match"] = etag;
    sent.body = JSON.stringify(
      name === "updateGame"
        ? { ...record, tagline_en: `Sail ${Math.random()}` }
        : { ...record, version: `${Math.random()}` },
    );
  }
  if (name === "deleteServer") {
    const server = await made("/admin/servers", serverForm());
    sent.path = `/admin/servers/${server.id}?confirm=${encodeURIComponent(server.name)}`;
  }
  if (name === "deleteGame") {
    // Each answer is asked for with a game of its own, and no two may have one name.
    const game = await made("/admin/games", { game_name: `Short-lived ${Math.random()}`, game_acronym: "SL" });
    sent.path = `/admin/games/${game.id}?confirm=${encodeURIComponent(game.name)}`;
  }
  if (name === "sendHeartbeat") {
    sent.headers.Authorization = `Bearer ${TOKEN}`;
    sent.body = JSON.stringify({ players: 3, max_players: 20, version: "1.0" });
  }
  return sent;
}

/** The same request, spoilt so that it has to be answered with this status. */
export async function spoil(sent: Sent, status: string, name: string, operation: DescribedOperation): Promise<Sent> {
  const bearer = (token: string | undefined) => ({
    ...sent,
    headers: { ...sent.headers, Authorization: `Bearer ${token}` },
  });
  if (status === "304")
    return { ...sent, headers: { ...sent.headers, "If-None-Match": (await send(sent)).headers.get("etag") ?? "" } };
  if (status === "400")
    return operation.requestBody
      ? { ...sent, body: name === "sendHeartbeat" ? '{"players":"3"}' : "{" }
      : { ...sent, path: `${sent.path}${sent.path.includes("?") ? "&" : "?"}nonsense=1` };
  if (status === "401" && name === "signIn")
    return { ...sent, body: JSON.stringify({ email: "ada@example.org", password: "wrong" }) };
  if (status === "401" && name === "refreshSession")
    return { ...sent, body: JSON.stringify({ refresh_token: `spr_${"x".repeat(43)}.${"x".repeat(43)}` }) };
  if (status === "401") return bearer(WRONG_KEY);
  if (status === "403" && name === "signUp")
    await site.sql`insert into site_settings (setting_key, setting_value) values ('registration', '"closed"')`;
  if (status === "403" && name === "signUp") return sent;
  if (status === "403" && name === "uploadFile")
    return { ...sent, path: sent.path.replace(ids.member, "00000000-0000-4000-8000-000000000000") };
  if (status === "403" && name === "removeFiles") return bearer(keys.read);
  if (status === "403" && name === "signIn")
    return { ...sent, body: JSON.stringify({ email: "banned@example.org", password: PASSWORD }) };
  if (status === "403" && /Guide$|Picture$|^updateGameOrder|deleteMedia/.test(name) && !name.startsWith("read"))
    return bearer(keys.read);
  if (status === "403")
    return bearer(/Servers?$/.test(name) ? keys.games : name.endsWith("Game") ? keys.read : keys.games);
  if ((status === "404" && name.endsWith("File")) || (name.endsWith("Files") && status === "404"))
    return { ...sent, path: sent.path.replace(/media|avatars/, "elsewhere") };
  if (status === "404" && name === "deleteMedia") return { ...sent, path: sent.path.replace(/\w+$/, "0".repeat(32)) };
  if (status === "409" && name === "deleteMedia")
    return { ...sent, path: sent.path.replace(/\w+$/, fresh.slice(0, 32)) };
  if (status === "409" && name.endsWith("Order")) return { ...sent, body: JSON.stringify({ ids: [1] }) };
  if (status === "409" && name === "removeFiles") return { ...sent, body: JSON.stringify({ prefixes: [fresh] }) };
  if (sent.body instanceof Blob && status === "413") return { ...sent, body: new Blob([new Uint8Array(6 * 2 ** 20)]) };
  if (sent.body instanceof Blob && status === "422") return { ...sent, body: new Blob(["no picture"]) };
  if (status === "404") return { ...sent, path: sent.path.replace(/\d+/, "999999") };
  if (status === "409") return { ...sent, path: sent.path.replace(/confirm=.*/, "confirm=Another") };
  if (status === "412") return { ...sent, headers: { ...sent.headers, "If-Match": '"1"' } };
  if (status === "413") return { ...sent, body: JSON.stringify({ note: "x".repeat(200_000) }) };
  if (status === "415") return { ...sent, headers: { ...sent.headers, "Content-Type": "text/plain" } };
  if (status === "422") return { ...sent, body: JSON.stringify({ nonsense: 1, limit: "many" }) };
  if (status === "428")
    return {
      ...sent,
      headers: Object.fromEntries(Object.entries(sent.headers).filter(([key]) => key !== "If-Match")),
    };
  if (status === "429") return tooOften(sent, name, operation);
  return sent;
}

async function tooOften(sent: Sent, name: string, operation: DescribedOperation): Promise<Sent> {
  const limits: Record<string, [key: string, of: string, points: number]> = {
    sendHeartbeat: ["heartbeat:account", TOKEN, 30],
    signIn: ["sign-in:account", "limited@example.org", 10],
    refreshSession: ["refresh:address", "203.0.113.98", 120],
    sendContact: ["contact:address", "203.0.113.98", 1_000],
    signUp: ["sign-up:address", "203.0.113.98", 1_000],
  };
  const limit = limits[name];
  if (limit) {
    const [key, of, points] = limit;
    const hashed = createHash("sha256").update(String(of)).digest("base64url").slice(0, 22);
    await site.sql`insert into rate_limits (limit_key, points, expires_at) values (${`${key}:${hashed}`}, ${Number(points)}, now() + interval '1 hour')
      on conflict (limit_key) do update set points = excluded.points, expires_at = excluded.expires_at`;
    const body = name === "signIn" ? JSON.stringify({ email: "limited@example.org", password: PASSWORD }) : sent.body;
    return { ...sent, ...(body === undefined ? {} : { body }), ip: "203.0.113.98" };
  }
  if (operation.security.some((one) => "key" in one))
    return { ...sent, headers: { ...sent.headers, Authorization: `Bearer ${keys.spent}` } };
  if (operation.security.length === 1)
    return { ...sent, headers: { ...sent.headers, Authorization: `Bearer ${tokens.spent}` } };
  return { ...sent, ip: "203.0.113.99" };
}
