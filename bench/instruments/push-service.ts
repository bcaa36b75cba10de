/** The push service of the tests in a process of its own: says when each message arrived. */
import { startPushService } from "#tests/helpers/push/push-service.ts";

export type PushOrder = { order: "subscribe" | "report" | "forget"; count: number };

/** `at`: by the clock that all processes of a machine share, in ms. `refused`: messages that it could not read. */
export type PushReport = {
  settings: Record<string, string>;
  subscriptions: { endpoint: string; keys: { p256dh: string; auth: string } }[];
  arrived: { to: string; at: number }[];
  refused: number;
};

const service = await startPushService();

process.on("message", ({ order, count }: PushOrder) => {
  if (order === "forget") service.arrived.length = 0;
  const subscriptions = order === "subscribe" ? Array.from({ length: count }, () => service.subscribe()) : [];
  const arrived = service.arrived.map(({ to, at }) => ({ to, at: performance.timeOrigin + at }));
  process.send?.({
    settings: service.settings,
    subscriptions,
    arrived,
    refused: service.refused.length,
  } satisfies PushReport);
});
process.on("disconnect", () => process.exit());
process.send?.({ ready: true, port: service.port });
