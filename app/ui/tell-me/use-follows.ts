// What is followed in one place, kept in step with the site: a choice shows at once, and goes back where it could not be done.
import { useCallback, useEffect, useRef, useState } from "react";
import type { FollowKind, ShownFollow } from "#shared/push.ts";
import type { FollowOutcome, FollowProblem, FollowSource } from "./follow-source.ts";
import type { About } from "./told.ts";

export type Follows = {
  /** About this one thing; null: not known yet. */
  here: ShownFollow[] | null;
  problem: FollowProblem | null;
  /** What is being asked for, and has no answer yet. */
  asking: FollowKind | null;
  /** What was done last, for those who listen and for taking it back. */
  last: { kind: FollowKind; on: boolean; threshold: number | undefined } | null;
  add(kind: FollowKind, threshold?: number): Promise<void>;
  end(kind: FollowKind): Promise<void>;
  /** Once more what could not be done; where nothing was asked for, what there is. */
  again(): Promise<void>;
};

/** `about`: as it was when the panel was opened. */
export function useFollows(source: FollowSource, about: About): Follows {
  const [follows, setFollows] = useState<ShownFollow[] | null>(null);
  const [problem, setProblem] = useState<FollowProblem | null>(null);
  const [asking, setAsking] = useState<FollowKind | null>(null);
  const [last, setLast] = useState<Follows["last"]>(null);
  const current = useRef(source);
  const undone = useRef<{ kind: FollowKind; threshold: number | undefined } | null>(null);
  /** One act after the other: each answer is a whole list, and an older one must not come last. */
  const turn = useRef<Promise<void>>(Promise.resolve());
  const inTurn = (act: () => Promise<void>): Promise<void> => {
    turn.current = turn.current.then(act, act);
    return turn.current;
  };
  const here =
    follows?.filter(
      (follow) => follow.server_id === (about.server_id ?? null) && follow.game_id === (about.game_id ?? null),
    ) ?? null;

  const take = useCallback((outcome: FollowOutcome, from: FollowSource): boolean => {
    // The answer of a place that somebody has left meanwhile.
    if (from !== current.current) return false;
    setProblem(outcome.ok ? null : outcome.why);
    if (outcome.ok) setFollows(outcome.follows);
    return outcome.ok;
  }, []);

  const load = useCallback(async () => {
    take(await source.list(), source);
  }, [source, take]);

  useEffect(() => {
    if (current.current !== source) {
      current.current = source;
      undone.current = null;
      setFollows(null);
      setProblem(null);
      setLast(null);
    }
    void load();
  }, [source, load]);

  const add = (kind: FollowKind, threshold?: number) => inTurn(() => addNow(kind, threshold));
  const end = (kind: FollowKind) => inTurn(() => endNow(kind));

  async function addNow(kind: FollowKind, threshold?: number) {
    setAsking(kind);
    setLast(null);
    const before = here?.filter((follow) => follow.kind === kind && follow.threshold !== (threshold ?? null)) ?? [];
    const done = take(await source.add({ ...about, kind, threshold }), source);
    // One wish of a kind at a time: another number takes the place of the one before.
    if (done) for (const { follow_id } of before) take(await source.end(follow_id), source);
    setAsking(null);
    undone.current = done ? null : { kind, threshold };
    if (done) setLast({ kind, on: true, threshold });
  }

  async function endNow(kind: FollowKind) {
    const ended = here?.filter((follow) => follow.kind === kind) ?? [];
    setAsking(kind);
    setLast(null);
    let done = true;
    for (const { follow_id } of ended) done = take(await source.end(follow_id), source) && done;
    setAsking(null);
    if (done) setLast({ kind, on: false, threshold: ended[0]?.threshold ?? undefined });
  }

  const again = () => (undone.current ? add(undone.current.kind, undone.current.threshold) : load());

  return { here, problem, asking, last, add, end, again };
}
