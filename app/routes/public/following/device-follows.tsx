// Lists this browser's follows, which only the browser knows: works without an account.
import { useEffect, useState } from "react";
import type { ShownFollow } from "#shared/push.ts";
import { m } from "../../../paraglide/messages.js";
import { Button } from "../../../ui/button/button.tsx";
import { Link } from "../../../ui/link/link.tsx";
import { SettingsItem, SettingsList, SettingsSection } from "../../../ui/settings-section/settings-section.tsx";
import {
  byPush,
  deviceProblem,
  type FollowOutcome,
  type FollowProblem,
  testDevice,
} from "../../../ui/tell-me/follow-source.ts";
import { ProblemHelp } from "../../../ui/tell-me/problem-help.tsx";
import { aboutText, whenText } from "./follow-text.ts";
import { FollowTitle } from "./follow-title.tsx";
import css from "./following.module.css";

type Props = {
  member: boolean;
  slugOf: (gameId: number | null) => string | null;
  /** Called with this browser's follows, once known. */
  onKnown: (followIds: string[]) => void;
};

/** An ended row keeps its place, so that it can be restored. */
type Row = ShownFollow & { ended: boolean };

export function DeviceFollows({ member, slugOf, onKnown }: Props) {
  /** Null: not loaded yet. */
  const [rows, setRows] = useState<Row[] | null>(null);
  const [problem, setProblem] = useState<FollowProblem | null>(null);
  const [busy, setBusy] = useState<string | null>(null);
  const [said, setSaid] = useState("");

  // biome-ignore lint/correctness/useExhaustiveDependencies: once, when the page is alive
  useEffect(() => {
    void load();
  }, []);

  async function load() {
    const inTheWay = deviceProblem();
    if (inTheWay) return setProblem(inTheWay);
    const outcome = await byPush.list();
    setProblem(outcome.ok ? null : outcome.why);
    if (!outcome.ok) return;
    setRows(outcome.follows.map((follow) => ({ ...follow, ended: false })));
    onKnown(outcome.follows.map(({ follow_id }) => follow_id));
  }

  /** `change`: the request to the site; rows missing from its answer are ended. */
  async function act(name: string, text: string, change: () => Promise<FollowOutcome>) {
    setBusy(name);
    setSaid("");
    const outcome = await change();
    setBusy(null);
    setProblem(outcome.ok ? null : outcome.why);
    if (!outcome.ok) return;
    setSaid(text);
    setRows((before) => merge(before ?? [], outcome.follows));
  }

  const live = rows?.filter(({ ended }) => !ended) ?? [];
  const again = async (ended: Row[]): Promise<FollowOutcome> => {
    let outcome: FollowOutcome = await byPush.list();
    for (const { kind, threshold, server_id, game_id } of ended) {
      outcome = await byPush.add({
        kind,
        threshold: threshold ?? undefined,
        server_id: server_id ?? undefined,
        game_id: game_id ?? undefined,
      });
      if (!outcome.ok) break;
    }
    return outcome;
  };
  const endedRows = rows?.filter(({ ended }) => ended) ?? [];

  return (
    <SettingsSection title={m.following_device()} about={m.following_device_about()}>
      {problem && <ProblemHelp problem={problem} place="device" member={member} onAgain={() => void load()} />}
      {rows === null && !problem && (
        <>
          <p className={`${css.quiet} ${css.withScript}`}>{m.following_looking()}</p>
          <p className={`${css.quiet} ${css.withoutScript}`}>{m.following_no_script()}</p>
        </>
      )}
      {rows?.length === 0 && !problem && (
        <div className={css.none}>
          <p>{m.following_none()}</p>
          <Link to="/dashboard">{m.following_to_servers()}</Link>
        </div>
      )}
      {rows !== null && rows.length > 0 && (
        <SettingsList label={m.following_device()}>
          {rows.map((row) => (
            <SettingsItem
              key={row.follow_id}
              title={<FollowTitle {...row} slug={slugOf(row.game_id)} />}
              about={row.ended ? m.following_ended() : whenText(row)}
            >
              <Button
                variant="outlined"
                size="s"
                loading={busy === row.follow_id}
                aria-label={(row.ended ? m.following_again_named : m.following_end_named)({
                  name: aboutText(row),
                  when: whenText(row),
                })}
                onClick={() =>
                  void (row.ended
                    ? act(row.follow_id, m.following_said_again(), () => again([row]))
                    : act(row.follow_id, m.following_said_ended(), () => byPush.end(row.follow_id)))
                }
              >
                {row.ended ? m.tell_undo() : m.following_end()}
              </Button>
            </SettingsItem>
          ))}
        </SettingsList>
      )}
      {rows !== null && rows.length > 0 && (
        <div className={css.acts}>
          {live.length > 0 && (
            <>
              <Button
                variant="tonal"
                loading={busy === "test"}
                onClick={() => void act("test", m.following_tested(), testDevice)}
              >
                {m.following_test()}
              </Button>
              <Button
                variant="outlined"
                loading={busy === "all"}
                onClick={() => void act("all", m.following_said_all_ended(), () => byPush.end("all"))}
              >
                {m.following_end_all()}
              </Button>
            </>
          )}
          {live.length === 0 && endedRows.length > 1 && (
            <Button
              variant="outlined"
              loading={busy === "again"}
              onClick={() => void act("again", m.following_said_again(), () => again(endedRows))}
            >
              {m.following_all_again()}
            </Button>
          )}
        </div>
      )}
      <p role="status" className={css.said}>
        {said}
      </p>
    </SettingsSection>
  );
}

/** Returns the rows in order, each marked as ended or not; a new follow takes the place of an equal one. */
function merge(before: Row[], follows: ShownFollow[]): Row[] {
  const keyOf = ({ kind, threshold, server_id, game_id }: ShownFollow) =>
    [kind, threshold, server_id, game_id].join(" ");
  const now = new Map(follows.map((follow) => [keyOf(follow), follow]));
  const kept = before.map((row): Row => {
    const follow = now.get(keyOf(row));
    now.delete(keyOf(row));
    return follow ? { ...follow, ended: false } : { ...row, ended: true };
  });
  return [...[...now.values()].map((follow) => ({ ...follow, ended: false })), ...kept];
}
