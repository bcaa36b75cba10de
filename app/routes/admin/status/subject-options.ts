// Lists subjects of plans and incidents as form options.
import type { listSubjects } from "#domain/plans/plans.ts";
import { m } from "../../../paraglide/messages.js";

type Subjects = Awaited<ReturnType<typeof listSubjects>>;

/** The whole site first, then the games, each with its game servers below. */
export function subjectOptions({ games, servers }: Subjects): { value: string; label: string }[] {
  const of = Map.groupBy(servers, ({ game_id }) => game_id);
  return [
    { value: "site", label: m.plan_of_site() },
    ...games.flatMap(({ id, name }) => [
      { value: `game-${id}`, label: name },
      ...(of.get(id) ?? []).map((server) => ({ value: `server-${server.id}`, label: `\u2003${server.name}` })),
    ]),
  ];
}
