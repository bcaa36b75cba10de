// Defines the shapes of public responses.
import { z } from "zod";
import { gameServerAnswer } from "#domain/game-servers/fields.ts";
import { gameAnswer } from "#domain/games/fields.ts";
import { localTextShape } from "#domain/local-text.ts";
import { SHOWN_STATUSES, UNKNOWN_REASONS } from "#shared/statuses.ts";
import { pageOf } from "./schemas.ts";

const time = () => z.iso.datetime();
const people = () => z.int().min(0);

export const statusShape = z.enum(SHOWN_STATUSES).meta({
  description:
    "`degraded`: the last try failed and is not confirmed. `unknown`: nobody can tell. `maintenance` and `inactive` are said by an admin.",
});

const game = gameAnswer.extend({
  url: z.url(),
  server_count: z.int().min(0),
  players_now: people().meta({ description: "On all of its game servers that tell." }),
});

const metrics = z
  .object({
    server_id: z.int().min(1),
    status: statusShape,
    user_online: people().nullable().meta({ description: "null: nobody can tell; never 0 for that." }),
    bots_online: people().optional().meta({
      description: "Bots, which are no part of `user_online`; absent where there are none, or nobody tells.",
    }),
    user_max: people().nullable(),
    user_peak: people().nullable().meta({ description: "The highest ever measured." }),
    user_peak_at: time().nullable(),
    user_peak_24h: people().nullable(),
    user_peak_7d: people().nullable(),
    version: z.string().nullable(),
    map: z.string().nullable(),
    password_protected: z.literal(true).optional().meta({
      description: "Set where the game server itself says that it asks for a password.",
    }),
    status_since: time().nullable(),
    unknown_reason: z.enum(UNKNOWN_REASONS).optional().meta({
      description:
        "Why a server that was checked is unknown. `unreadable`: it responds, and the reply can't be read. `no_answer`: it has never answered a check.",
    }),
    reachable_from: z.array(z.string()).optional().meta({
      description: "Where outposts stand that reach it while the site itself does not; absent where there are none.",
    }),
  })
  .meta({ description: "What is measured of a game server, as it stands." });

const measured = metrics.extend({
  server_name: z.string(),
  asked_at: time().nullable().meta({ description: "When the game server was last asked." }),
  latency_ms: z.int().min(0).nullable(),
});

const gameServer = gameServerAnswer.extend({
  game_slug: z.string(),
  game_name: z.string(),
  address: z.string().nullable().meta({ description: "What players type; null while there is none." }),
  url: z.url(),
  badge_url: z.url().nullable(),
  widget_url: z.url().nullable(),
  live: measured,
});

const history = z
  .object({
    range: z.enum(["24h", "7d", "30d", "1y"]),
    from: z.int(),
    to: z.int(),
    step: z.int().meta({ description: "Width of a point in seconds." }),
    at: z.array(z.number()),
    average: z.array(z.number().nullable()),
    lowest: z.array(z.number().nullable()),
    highest: z.array(z.number().nullable()),
    downs: z.array(z.array(z.number()).length(2)).meta({
      description:
        "Down times as [from, to), from between the last answer and the first failure to between the last failure and the next answer. Planned maintenance and times in which nobody watched are left out.",
    }),
  })
  .meta({
    description: "Points in columns; times in seconds since 1970. A time that was not measured has no point.",
  });

const root = z.object({
  site_name: z.string(),
  site_url: z.url(),
  version: z.literal("v1"),
  openapi_url: z.url(),
  reference_url: z.url(),
  servers_online: z.int().min(0),
  servers_total: z.int().min(0),
  players_now: people(),
  delayed_since: time().nullable().meta({ description: "Set while figures are held back because the fault is ours." }),
});

const totals = z
  .object({
    players_online: z.int().min(0),
    players_known: z.boolean(),
    players_reported: z.boolean(),
    servers_online: z.int().min(0),
    servers_total: z.int().min(0),
    fullest: z
      .object({
        server_id: z.int(),
        server_name: z.string(),
        user_online: z.int(),
        user_max: z.int().nullable(),
      })
      .nullable(),
  })
  .meta({ description: "Sums over the game servers that may be seen; told again at most once a second." });

const liveTotals = z
  .object({ site: totals.optional(), games: z.record(z.string(), totals).optional() })
  .meta({ description: "Totals of the site, and of games by their ids." });

const liveSnapshot = z
  .object({
    type: z.literal("snapshot"),
    epoch: z.string(),
    seq: z.int().min(0),
    catalog: z.string().meta({
      description: "Names what the site says of its games and game servers; read those again when it changes.",
    }),
    rows: z.array(metrics),
    gone: z
      .array(z.int())
      .optional()
      .meta({ description: "With `shows`: game servers that were named and are not there, or no longer." }),
    asked: z.record(z.string(), time().nullable()),
    totals: liveTotals,
    delayed_since: time().nullable(),
  })
  .meta({
    description:
      "Event `snapshot`: everything, or all that `shows` names; at the beginning and when something besides figures changed.",
  });

const liveDelta = z
  .object({
    type: z.literal("delta"),
    epoch: z.string(),
    seq: z.int().min(0),
    rows: z.array(metrics),
    totals: liveTotals.optional(),
  })
  .meta({
    description: "Event `delta`: the rows and the totals that changed. The numbers of two that follow differ by one.",
  });

const liveChangedFields = z
  .object({
    seq: z.int().min(0),
    rows: z.array(z.looseObject({ server_id: z.int().min(1) })).optional(),
    totals: z
      .object({ site: z.looseObject({}).optional(), games: z.record(z.string(), z.looseObject({})).optional() })
      .optional(),
  })
  .meta({
    description:
      "Event `delta` of a stream with `shows`: of each row and of totals the fields that changed; one that is gone is null. Numbers are left out where something else changed.",
  });

const livePulse = z
  .object({ type: z.literal("pulse"), asked: z.record(z.string(), time().nullable()) })
  .meta({ description: "Event `pulse`, every 30 seconds: when each game server was last asked." });

export const GAME_LIST = pageOf(game);
export const SERVER_LIST = pageOf(gameServer);
export const METRICS_LIST = pageOf(measured);
export { game as GAME, gameServer as GAME_SERVER, history as HISTORY, measured as METRICS, root as SITE };

/** By their names in the document. */
export const PUBLIC_SHAPES = {
  Site: root,
  LocalText: localTextShape,
  Game: game,
  GamePage: GAME_LIST,
  GameServer: gameServer,
  GameServerPage: SERVER_LIST,
  LiveRow: metrics,
  Metrics: measured,
  MetricsPage: METRICS_LIST,
  History: history,
  LiveSnapshot: liveSnapshot,
  LiveDelta: liveDelta,
  LiveChangedFields: liveChangedFields,
  LivePulse: livePulse,
};

export type PublicGame = z.infer<typeof game>;
export type PublicGameServer = z.infer<typeof gameServer>;
export type PublicMetrics = z.infer<typeof measured>;
