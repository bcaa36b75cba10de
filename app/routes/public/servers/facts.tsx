// Facts of a game server: settings, peaks, and how they were measured.
import type { ReactNode } from "react";
import type { LiveRow } from "#shared/live-row.ts";
import { formatNumber } from "../../../language.ts";
import { m } from "../../../paraglide/messages.js";
import { howWeKnow } from "../../../ui/adapter-text/adapter-text.ts";
import { RelativeTime } from "../../../ui/relative-time/relative-time.tsx";
import { ModList } from "../../../ui/server-card/mod-list.tsx";
import styles from "./facts.module.css";
import type { ShownServer } from "./shown-server.ts";

type ServerFactsProps = {
  server: ShownServer;
  /** Mods that the game server reports, if an admin has listed none. */
  toldMods: string[];
  row: LiveRow | undefined;
  status: LiveRow["status"];
  /** Current poll interval in seconds. */
  everyS: number;
  latencyMs: number | null;
  /** Outposts that reach it, with the latency of its last answer there. */
  places: { name: string; latency_ms: number }[];
  /** ISO time of the last poll; null: never. */
  asked: string | null;
  now: number;
};

export function ServerFacts({
  server,
  toldMods,
  row,
  status,
  everyS,
  latencyMs,
  places,
  asked,
  now,
}: ServerFactsProps) {
  const peaks = [row?.user_peak ?? null, row?.user_peak_24h ?? null, row?.user_peak_7d ?? null] as const;
  const peakAt = row?.user_peak_at ?? null;
  const version = row?.version ?? server.version;
  const mods = server.mods.length > 0 ? server.mods : toldMods;
  const watched = status !== "inactive" && server.announced;
  return (
    <div className={`page ${styles.facts}`}>
      <section aria-labelledby="peaks">
        <h2 id="peaks">{m.peaks_title()}</h2>
        {peaks.every((peak) => peak === null) ? (
          <p>{m.peaks_none()}</p>
        ) : (
          <dl className={styles.peaks}>
            <Fact name={m.peaks_all_time()}>
              <Peak players={peaks[0]} />
              {peakAt && (
                <span className={styles.when}>
                  <RelativeTime at={peakAt} now={now} />
                </span>
              )}
            </Fact>
            <Fact name={m.peaks_day()}>
              <Peak players={peaks[1]} />
            </Fact>
            <Fact name={m.peaks_week()}>
              <Peak players={peaks[2]} />
            </Fact>
          </dl>
        )}
      </section>

      <section aria-labelledby="what-it-runs">
        <h2 id="what-it-runs">{m.runs_title()}</h2>
        <dl className={styles.list}>
          <Fact name={m.fact_version()}>
            {version ? <bdi>{version}</bdi> : <span className={styles.quiet}>{m.not_reported()}</span>}
          </Fact>
          {server.flavour && <Fact name={m.fact_flavour()}>{server.flavour}</Fact>}
          {row?.map && (
            <Fact name={m.fact_map()}>
              <bdi>{row.map}</bdi>
            </Fact>
          )}
          {server.server_locations.length > 0 && (
            <Fact name={m.fact_location()}>{server.server_locations.join(", ")}</Fact>
          )}
          {mods.length > 0 && (
            <Fact name={m.fact_mods()}>
              <ModList mods={mods} />
            </Fact>
          )}
        </dl>
      </section>

      <section aria-labelledby="how-we-know">
        <h2 id="how-we-know">{m.known_title()}</h2>
        {watched ? (
          <>
            <p>{howWeKnow(server.adapter, everyS, row?.user_online != null)}</p>
            <dl className={styles.list}>
              <Fact name={m.known_last_checked()}>
                {asked ? (
                  <RelativeTime at={asked} now={now} />
                ) : (
                  <span className={styles.quiet}>{m.known_not_yet()}</span>
                )}
              </Fact>
              {places.length > 0 ? (
                <Fact name={m.known_answer_took()}>
                  <ul className={styles.places}>
                    {latencyMs !== null && <li>{m.known_ms_from_here({ milliseconds: formatNumber(latencyMs) })}</li>}
                    {places.map(({ name, latency_ms }) => (
                      <li key={name}>{m.known_ms_from({ milliseconds: formatNumber(latency_ms), place: name })}</li>
                    ))}
                  </ul>
                </Fact>
              ) : (
                latencyMs !== null && (
                  <Fact name={m.known_answer_took()}>{m.known_ms({ milliseconds: formatNumber(latencyMs) })}</Fact>
                )
              )}
            </dl>
          </>
        ) : (
          <p>{status === "inactive" ? m.known_inactive() : m.known_unannounced()}</p>
        )}
      </section>
    </div>
  );
}

function Peak({ players }: { players: number | null }) {
  if (players === null) return <span className={styles.quiet}>{m.not_reported()}</span>;
  return <span className={styles.figure}>{formatNumber(players)}</span>;
}

function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  );
}
