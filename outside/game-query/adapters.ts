/** Lists THE ADAPTERS, the ways to poll a game server. The part that browsers need too is in shared/adapters.ts. */
import type { AdapterId, AskedAdapterId } from "#shared/adapters.ts";
import { a2s } from "./a2s.ts";
import type { Adapter } from "./adapter.ts";
import { gamedig } from "./gamedig.ts";
import { hytale } from "./http/hytale.ts";
import { palworld } from "./http/palworld.ts";
import { terraria } from "./http/terraria.ts";
import { minecraft } from "./minecraft.ts";
import { satisfactory } from "./satisfactory.ts";
import { tcp } from "./tcp.ts";
import { teamspeak } from "./teamspeak.ts";
import { bedrock } from "./udp/bedrock.ts";
import { factorio } from "./udp/factorio.ts";
import { fivem } from "./udp/fivem.ts";
import { luanti } from "./udp/luanti.ts";
import { teeworlds } from "./udp/teeworlds.ts";

/** A missing one does not compile. Null: not polled, its game machine reports itself (domain/game-servers/heartbeats.ts). */
export const ADAPTERS: { readonly [Id in AdapterId]: Id extends AskedAdapterId ? Adapter : null } = {
  a2s,
  minecraft,
  satisfactory,
  palworld,
  terraria,
  hytale,
  bedrock,
  fivem,
  teeworlds,
  factorio,
  luanti,
  teamspeak,
  gamedig,
  tcp,
  heartbeat: null,
};
