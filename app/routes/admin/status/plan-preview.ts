// Returns the next five times of a plan being written, as data for its form. Not every browser supports Temporal.
import { requirePermission } from "#web/guards.ts";
import type { Route } from "./+types/plan-preview";
import { previewOf } from "./plan-times.ts";

export function loader({ context, url }: Route.LoaderArgs) {
  requirePermission({ context, url }, "gameservers:write");
  const { searchParams } = url;
  const text = (name: string) => (searchParams.get(name) ?? "").slice(0, 60);
  return {
    preview: previewOf({
      first_local: text("first_local"),
      time_zone: text("time_zone"),
      repeats: text("repeats"),
      minutes: text("minutes"),
    }),
  };
}
