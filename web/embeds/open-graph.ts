// Serves pictures of shared links, one for the site and for each game and game server in each language, with the current
// figures.
import { readFile } from "node:fs/promises";
import path from "node:path";
import type { HttpBindings } from "@hono/node-server";
import { type Context, Hono } from "hono";
import { landscapeOf, masterOf } from "#content/landscapes/landscapes.ts";
import { shippedPictureOf } from "#content/pictures/shipped.ts";
import type { Game } from "#domain/games/games.ts";
import { findMediaFile } from "#domain/media/media.ts";
import type { Totals } from "#shared/live/shown-figures.ts";
import type { LiveRow } from "#shared/live-row.ts";
import type { Locale } from "#shared/locale.ts";
import type { AppParts } from "../context.ts";
import { answerBare, message } from "../messages.ts";
import type { SiteReader, SiteSnapshot } from "../pages/site-snapshot.ts";
import { namesTag, tagOf } from "../request/etag.ts";
import { drawPicture, type PictureTexts } from "./open-graph-picture.ts";
import { faceOf } from "./status-faces.ts";

const MADE = path.join(import.meta.dirname, "../../content/pictures/made");
const SITE_SCENE = "slide-1-1920.webp";
/** A picture is drawn again at most this often, however fast its figures change. */
const FRESH_MS = 60_000;
/** They weigh 60 KB as a rule and 150 KB at most: some 20 MB. */
const MAX_KEPT = 300;
/** Some two seconds of drawing. Further requests get a Retry-After. */
const MAX_WAITING = 20;

type Kept = { said: string; drawnAt: number; etag: string; bytes: Buffer };

/** `site` reads what visitors may see: nothing else gets a picture. */
export function openGraphPictures(site: SiteReader, app: Pick<AppParts, "storage" | "log">) {
  const kept = new Map<string, Kept>();
  const drawing = new Map<string, Promise<Kept>>();
  let last: Promise<unknown> = Promise.resolve();

  /** Draws one picture at a time, and each once for all requests that wait for it. Null: too many wait. */
  function draw(key: string, said: string, texts: PictureTexts, game: Game | null): Promise<Kept> | null {
    let running = drawing.get(key);
    if (!running) {
      if (drawing.size >= MAX_WAITING) return null;
      running = last
        .then(async () => {
          const bytes = await drawPicture(texts, await findScene(game));
          const etag = tagOf(bytes);
          const made = { said, drawnAt: performance.now(), etag, bytes };
          kept.delete(key);
          kept.set(key, made);
          for (const oldest of kept.keys()) if (kept.size > MAX_KEPT) kept.delete(oldest);
          return made;
        })
        .finally(() => drawing.delete(key));
      drawing.set(key, running);
      last = running.catch(() => undefined);
    }
    return running;
  }

  /** Finds the background: the picture that an admin uploaded, the painting that ships for the game, or its landscape. */
  async function findScene(game: Game | null): Promise<Buffer | null> {
    try {
      if (game === null) return await readFile(path.join(MADE, SITE_SCENE));
      const { banner } = game;
      if (banner) return await findMediaFile(app.storage, `${banner.id}-${Math.max(...banner.widths)}.webp`);
      const landscape = landscapeOf(game);
      return await readFile(landscape ? masterOf(landscape) : path.join(MADE, `${shippedPictureOf(game)}-1380.webp`));
    } catch (error) {
      if ((error as { code?: string }).code !== "ENOENT") {
        app.log.warn({ err: error }, "the scene of a shared link's picture could not be read");
      }
      return null;
    }
  }

  async function answer(c: Context, texts: PictureTexts, game: Game | null): Promise<Response> {
    const key = c.req.path;
    const said = JSON.stringify([texts, game?.banner?.id, game?.picture]);
    const found = kept.get(key);
    // A new name or picture shows at once; figures within a minute.
    const same =
      found && (found.said === said || (sameTitle(found.said, texts) && performance.now() - found.drawnAt < FRESH_MS));
    // Older figures are better than no picture.
    const outdated = found && sameTitle(found.said, texts) ? found : null;
    const made = same ? found : ((await draw(key, said, texts, game)) ?? outdated);
    if (!made) {
      c.header("Retry-After", "5");
      return answerBare(c, "bare_pictures_busy", 503);
    }
    const { etag, bytes } = made;
    const headers = {
      "Cache-Control": "public, max-age=300",
      ETag: etag,
      // Intended for other sites.
      "Cross-Origin-Resource-Policy": "cross-origin",
    };
    if (namesTag(c.req.header("If-None-Match"), etag)) return c.body(null, 304, headers);
    return c.body(Uint8Array.from(bytes), 200, { ...headers, "Content-Type": "image/jpeg" });
  }

  const endpoint = new Hono<{ Bindings: HttpBindings }>();
  endpoint.get("/:locale{en|de}/site.jpg", (c) => {
    const { settings, totals } = site.read();
    const { site_name } = settings;
    return answer(
      c,
      { site: "", title: site_name, above: "", ...totalsText(totals(), c.req.param("locale") as Locale) },
      null,
    );
  });
  endpoint.get("/:locale{en|de}/games/:slug{[\\w-]{1,80}\\.jpg}", (c) => {
    const snapshot = site.read();
    const game = snapshot.games.find(({ game_slug }) => `${game_slug}.jpg` === c.req.param("slug"));
    return game ? answer(c, gameText(snapshot, game, c.req.param("locale") as Locale), game) : nothing(c);
  });
  endpoint.get("/:locale{en|de}/servers/:id{[1-9]\\d{0,9}\\.jpg}", (c) => {
    const snapshot = site.read();
    const server = snapshot.gameServers.find(({ server_id }) => `${server_id}.jpg` === c.req.param("id"));
    const game = snapshot.games.find(({ game_slug }) => game_slug === server?.game_slug);
    if (!server || !game) return nothing(c);
    const row = snapshot.rowOf(server.server_id);
    return answer(c, serverText(snapshot, server, row, c.req.param("locale") as Locale), game);
  });
  endpoint.all("*", nothing);
  return endpoint;
}

const nothing = (c: Context) => answerBare(c, "bare_no_picture", 404);

function sameTitle(said: string, texts: PictureTexts): boolean {
  const [{ site, title, above }] = JSON.parse(said);
  return site === texts.site && title === texts.title && above === texts.above;
}

/** Formats how many game servers are online and how many players are on them; players only if any server reports them. */
function totalsText(
  { players_online, players_reported, servers_online, servers_total }: Totals,
  locale: Locale,
): Pick<PictureTexts, "figures" | "sign"> {
  if (servers_total === 0) return { figures: "", sign: null };
  const online = new Intl.NumberFormat(locale).format(servers_online);
  const figures = [
    message(locale, "picture_servers", { online, count: servers_total }),
    ...(players_reported ? [message(locale, "picture_players", { count: players_online })] : []),
  ].join("  ·  ");
  return { figures, sign: servers_online > 0 ? { tone: "online", full: true } : { tone: "quiet", full: false } };
}

function gameText(snapshot: SiteSnapshot, game: Game, locale: Locale): PictureTexts {
  const totals = snapshot.totalsOf(game.game_id) ?? snapshot.totals();
  return { site: snapshot.settings.site_name, title: game.game_name, above: "", ...totalsText(totals, locale) };
}

function serverText(
  snapshot: SiteSnapshot,
  server: SiteSnapshot["gameServers"][number],
  row: LiveRow | undefined,
  locale: Locale,
): PictureTexts {
  const status = faceOf(server, row);
  const number = new Intl.NumberFormat(locale);
  const [online, max] = [row?.user_online ?? null, row?.user_max ?? null];
  const players =
    online === null
      ? []
      : max === null
        ? [message(locale, "picture_players", { count: online })]
        : [message(locale, "picture_players_of", { online: number.format(online), max: number.format(max) })];
  return {
    site: snapshot.settings.site_name,
    title: server.server_name,
    above: server.game_name,
    figures: [message(locale, status.name), ...players].join("  ·  "),
    sign: { tone: status.tone, full: row?.status === "online" },
  };
}
