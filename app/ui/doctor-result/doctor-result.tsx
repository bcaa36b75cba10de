// The doctor's result for an address: what answers, ready to use, or what is wrong and how to fix it.
import type { ReactNode } from "react";
import { type AdapterId, type AdapterOptions, isOwnAnswer } from "#shared/adapters.ts";
import type { Cause, Diagnosis, Finding } from "#shared/diagnosis.ts";
import { formatNumber } from "../../language.ts";
import { m } from "../../paraglide/messages.js";
import { Button, ButtonLink } from "../button/button.tsx";
import { causeText, isNote } from "./cause-text.ts";
import css from "./doctor-result.module.css";
import { adapterText, outcomeText } from "./result-text.ts";
import { type AskAgain, WaysOn } from "./ways-on.tsx";

/** Values for a game server's form. */
export type TakenValues = {
  adapter: AdapterId;
  adapter_options: AdapterOptions;
  /** Null: not needed by a server that reports itself. */
  host: string | null;
  game_port: number | null;
  query_port: number | null;
  game: string | null;
  name: string | null;
  version: string | null;
  max_players: number | null;
};

type Props = {
  diagnosis: Diagnosis;
  /** Receives the findings on a press. */
  onTake?: (values: TakenValues) => void;
  /** Otherwise the address of a form that reads them from its query (see `takenSearch`); absent: they can't be used. */
  takeTo?: string;
  /** How to retry with a picked game. */
  again: AskAgain;
  /** Address of the heartbeat page of a saved game server. */
  heartbeatAt?: string;
};
type Taking = Pick<Props, "onTake" | "takeTo">;

/** Encodes the findings as the query of a form's address. */
function takenSearch(values: TakenValues): string {
  const search = new URLSearchParams();
  const { adapter_options, game, name, max_players, ...rest } = values;
  const given = { ...rest, server_name: name, user_max: max_players, game_name: game };
  for (const [key, value] of Object.entries(given)) if (value !== null) search.set(key, String(value));
  if (Object.keys(adapter_options).length > 0) search.set("adapter_options", JSON.stringify(adapter_options));
  return `?${search}`;
}

export function DoctorResult({ diagnosis, onTake, takeTo, again, heartbeatAt }: Props) {
  const { findings, causes, ways, tried } = diagnosis;
  // The requested server comes first, even without an answer; others on the machine follow as offers.
  const { asked = [], others = [] } = Object.groupBy(findings, ({ elsewhere }) => (elsewhere ? "others" : "asked"));
  return (
    <div className={css.result}>
      <h2 className={css.title}>{foundText(diagnosis, asked.length)}</h2>
      <Findings findings={asked} onTake={onTake} takeTo={takeTo} />
      <Causes title={m.doctor_causes()} causes={causes.filter((cause) => !isNote(cause))} />
      <Causes title={m.doctor_notes()} causes={causes.filter(isNote)} />
      <WaysOn ways={ways} watchesPort={asked.length > 0} again={again}>
        <HeartbeatWay heartbeat={ways.heartbeat} heartbeatAt={heartbeatAt} onTake={onTake} takeTo={takeTo} />
      </WaysOn>
      {others.length > 0 && <h3 className={css.others}>{m.doctor_found_others()}</h3>}
      <Findings findings={others} onTake={onTake} takeTo={takeTo} />
      {tried.length > 0 && <Tried tried={tried} />}
    </div>
  );
}

/** Links to the heartbeat of a saved game server; otherwise to a form for a self-reporting one. */
function HeartbeatWay({
  heartbeat,
  heartbeatAt,
  onTake,
  takeTo,
}: Taking & { heartbeat: Diagnosis["ways"]["heartbeat"]; heartbeatAt: string | undefined }) {
  if (heartbeat === null) return null;
  if (heartbeatAt !== undefined) {
    return (
      <ButtonLink variant="outlined" to={heartbeatAt}>
        {m.doctor_ways_heartbeat_line()}
      </ButtonLink>
    );
  }
  const nothing = { query_port: null, game: null, name: null, version: null, max_players: null };
  const values: TakenValues = { adapter: "heartbeat", adapter_options: {}, ...heartbeat, ...nothing };
  return (
    <Take values={values} variant="outlined" onTake={onTake} takeTo={takeTo}>
      {m.doctor_ways_heartbeat_take()}
    </Take>
  );
}

type TakeProps = Taking & { values: TakenValues; variant: "default" | "outlined"; name?: string; children: string };

function Take({ values, variant, name, onTake, takeTo, children }: TakeProps) {
  const label = name === undefined ? undefined : m.doctor_take_of({ name });
  if (onTake) {
    return (
      <Button variant={variant} onClick={() => onTake(values)} aria-label={label}>
        {children}
      </Button>
    );
  }
  return (
    takeTo && (
      <ButtonLink variant={variant} to={takeTo + takenSearch(values)} aria-label={label}>
        {children}
      </ButtonLink>
    )
  );
}

function foundText({ findings, tried }: Diagnosis, asked: number): string {
  if (asked > 0) return m.doctor_found();
  if (tried.length === 0) return m.doctor_found_not_asked();
  return findings.length > 0 ? m.doctor_found_not_here() : m.doctor_found_none();
}

function Findings({ findings, onTake, takeTo }: { findings: Finding[] } & Taking) {
  if (findings.length === 0) return null;
  return (
    <ul className={css.findings}>
      {findings.map((finding) => (
        <FindingCard
          key={`${finding.adapter} ${finding.query_port ?? finding.game_port}`}
          finding={finding}
          onTake={onTake}
          takeTo={takeTo}
        />
      ))}
    </ul>
  );
}

function Causes({ title, causes }: { title: string; causes: Cause[] }) {
  if (causes.length === 0) return null;
  return (
    <section className={css.causes} data-note={causes.every(isNote) || undefined}>
      <h3>{title}</h3>
      <ul>
        {causes.map((cause) => (
          <li key={cause.code}>{causeText(cause)}</li>
        ))}
      </ul>
    </section>
  );
}

function FindingCard({ finding, onTake, takeTo }: { finding: Finding } & Taking) {
  const isTold = isOwnAnswer(finding.adapter);
  const name = isTold ? (finding.name ?? finding.game ?? m.doctor_unnamed()) : m.doctor_tcp_name();
  const { latency_ms, elsewhere, players, map, steam_app_id, ...values } = finding;
  return (
    <li className={css.finding} data-elsewhere={elsewhere || undefined}>
      <div className={css.head}>
        {finding.game && finding.game !== name && (
          <p className={css.game}>{isTold ? finding.game : m.doctor_tcp_game({ game: finding.game })}</p>
        )}
        <p className={css.name}>{name}</p>
        {elsewhere && <p className={css.elsewhere}>{m.doctor_found_elsewhere()}</p>}
      </div>
      <dl className={css.facts}>
        <Fact label={m.doctor_players()} figure>
          {playersText(players, finding.max_players)}
        </Fact>
        {finding.map && <Fact label={m.doctor_map()}>{finding.map}</Fact>}
        {finding.version && <Fact label={m.doctor_version()}>{finding.version}</Fact>}
        <Fact label={m.doctor_adapter()}>{askedAt(finding)}</Fact>
        <Fact label={m.doctor_answered_in()}>{m.doctor_ms({ ms: formatNumber(latency_ms) })}</Fact>
      </dl>
      <Take values={values} variant={elsewhere ? "outlined" : "default"} name={name} onTake={onTake} takeTo={takeTo}>
        {m.doctor_take()}
      </Take>
    </li>
  );
}

function Fact({ label, figure, children }: { label: string; figure?: boolean; children: ReactNode }) {
  return (
    <div data-figure={figure || undefined}>
      <dt>{label}</dt>
      <dd>{children}</dd>
    </div>
  );
}

function playersText(players: number | null, max: number | null): string {
  if (players === null) return m.doctor_not_told();
  return max === null
    ? formatNumber(players)
    : m.doctor_players_of({ players: formatNumber(players), max: formatNumber(max) });
}

function askedAt(finding: Finding): string {
  const port = finding.query_port ?? finding.game_port;
  const adapter = adapterText(finding.adapter, finding.adapter_options.gamedigType ?? null);
  return port === null ? m.doctor_adapter_service({ adapter }) : m.doctor_adapter_at({ adapter, port: String(port) });
}

function Tried({ tried }: { tried: Diagnosis["tried"] }) {
  return (
    <details className={css.tried}>
      <summary>{m.doctor_tried()}</summary>
      <table>
        <thead>
          <tr>
            <th scope="col">{m.doctor_tried_by()}</th>
            <th scope="col">{m.doctor_tried_port()}</th>
            <th scope="col">{m.doctor_tried_outcome()}</th>
            <th scope="col">{m.doctor_tried_time()}</th>
          </tr>
        </thead>
        <tbody>
          {tried.map((one) => (
            <tr key={`${one.by} ${one.type} ${one.port} ${one.outcome} ${one.latency_ms}`}>
              <td>{adapterText(one.by, one.type)}</td>
              <td>{one.port}</td>
              <td>{outcomeText(one.outcome)}</td>
              <td>{m.doctor_ms({ ms: formatNumber(one.latency_ms) })}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </details>
  );
}
