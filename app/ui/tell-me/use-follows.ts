// Follows of one channel, in sync with the site: a choice shows at once, and reverts on failure.
import { useCallback, useEffect, useRef, useState } from "react";
import type { FollowKind, ShownFollow } from "#shared/push.ts";
import type { FollowOutcome, FollowProblem, FollowSource } from "./follow-source.ts";
import type { About } from "./told.ts";

export type Follows = {
  /** Follows of this subject; null: unknown yet. */
  here: ShownFollow[] | null;
  problem: FollowProblem | null;
  /** Pending request. */
  asking: FollowKind | null;
  /** The last action, for screen readers and undo. */
  last: { kind: FollowKind; on: boolean; threshold: number | undefined } | null;
  add(kind: FollowKind, threshold?: number): Promise<void>;
  end(kind: FollowKind): Promise<void>;
  /** Retries the failed action; without one, reloads. */
  again(): Promise<void>;
};

/** `about`: as of opening the panel. */
export function useFollows(source: FollowSource, about: About): Follows {
  const [follows, setFollows] = useState<ShownFollow[] | null>(null);
  const [problem, setProblem] = useState<FollowProblem | null>(null);
  const [asking, setAsking] = useState<FollowKind | null>(null);
  const [last, setLast] = useState<Follows["last"]>(null);
  const current = useRef(source);
  const undone = useRef<{ kind: FollowKind; threshold: number | undefined } | null>(null);
  /** Runs actions one at a time: each answer is a whole list, and an older one must not arrive last. */
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
    // The reader has switched the channel meanwhile.
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
    // One follow of a kind at a time: a new number replaces the former.
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
