// The facts of a game server: what it runs, its peaks, and in plain words how they were measured.
import type { ReactNode } from "react";
import type { GameServer } from "#domain/game-servers.ts";
import type { LiveRow } from "#domain/live-metrics.ts";
import { RelativeTime } from "../../ui/relative-time/relative-time.tsx";
import { ModList } from "../../ui/server-card/mod-list.tsx";
import styles from "./server-facts.module.css";
import type { ShownServer } from "./shown-server.ts";

const number = new Intl.NumberFormat("en");

type ServerFactsProps = {
  server: ShownServer;
  row: LiveRow | undefined;
  status: LiveRow["status"];
  measured: { adapter: GameServer["adapter"]; every_s: number; latency_ms: number | null };
  /** ISO time of the last question; null: never. */
  asked: string | null;
  now: number;
};

/** How each adapter knows what it knows. */
function howMeasured(adapter: GameServer["adapter"], everyS: number): string {
  switch (adapter) {
    case "a2s":
      return `Asked over the Steam query protocol (A2S) every ${everyS} seconds.`;
    case "minecraft":
      return `Asked by Minecraft Server List Ping every ${everyS} seconds.`;
    case "tcp":
      return `Every ${everyS} seconds we check that the port accepts connections; this game does not tell who is on.`;
    case "heartbeat":
      return "The game server reports itself.";
  }
}

export function ServerFacts({ server, row, status, measured, asked, now }: ServerFactsProps) {
  const peaks = [row?.user_peak ?? null, row?.user_peak_24h ?? null, row?.user_peak_7d ?? null] as const;
  const peakAt = row?.user_peak_at ?? null;
  const version = row?.version ?? server.version;
  const watched = status !== "inactive" && server.host !== null;
  return (
    <div className={`page ${styles.facts}`}>
      <section aria-labelledby="peaks">
        <h2 id="peaks">Peaks</h2>
        {peaks.every((peak) => peak === null) ? (
          <p>None yet: nobody has told how many are on.</p>
        ) : (
          <dl className={styles.peaks}>
            <Fact name="All-time">
              <Peak players={peaks[0]} />
              {peakAt && (
                <span className={styles.when}>
                  <RelativeTime at={peakAt} now={now} />
                </span>
              )}
            </Fact>
            <Fact name="24 hours">
              <Peak players={peaks[1]} />
            </Fact>
            <Fact name="7 days">
              <Peak players={peaks[2]} />
            </Fact>
          </dl>
        )}
      </section>

      <section aria-labelledby="what-it-runs">
        <h2 id="what-it-runs">What it runs</h2>
        <dl className={styles.list}>
          <Fact name="Version">
            {version ? <bdi>{version}</bdi> : <span className={styles.quiet}>Not reported</span>}
          </Fact>
          {server.flavour && <Fact name="Flavour">{server.flavour}</Fact>}
          {row?.map && (
            <Fact name="Map">
              <bdi>{row.map}</bdi>
            </Fact>
          )}
          {server.locations.length > 0 && <Fact name="Location">{server.locations.join(", ")}</Fact>}
          {server.mods.length > 0 && (
            <Fact name="Mods">
              <ModList mods={server.mods} />
            </Fact>
          )}
        </dl>
      </section>

      <section aria-labelledby="how-we-know">
        <h2 id="how-we-know">How we know</h2>
        {watched ? (
          <>
            <p>{howMeasured(measured.adapter, measured.every_s)}</p>
            <dl className={styles.list}>
              <Fact name="Last checked">
                {asked ? <RelativeTime at={asked} now={now} /> : <span className={styles.quiet}>Not yet</span>}
              </Fact>
              {measured.latency_ms !== null && (
                <Fact name="Answer took">{`${number.format(measured.latency_ms)} ms`}</Fact>
              )}
            </dl>
          </>
        ) : (
          <p>
            {status === "inactive"
              ? "An inactive game server is not asked."
              : "It is not asked yet: nobody has announced its address."}
          </p>
        )}
      </section>
    </div>
  );
}

function Peak({ players }: { players: number | null }) {
  if (players === null) return <span className={styles.quiet}>Not reported</span>;
  return <span className={styles.figure}>{number.format(players)}</span>;
}

function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  );
}
