// Checks how many days the certificate of the site's address is valid, from this machine, hourly while it is read.
import { askForCertificate } from "#outside/certificate.ts";

const LIMIT_MS = 5_000;
const KEPT_MS = 3_600_000;
const RETRY_MS = 60_000;
const DAY_MS = 86_400_000;

/** The days left, negative when it has expired; null: unknown, or there is none. Never waits. */
export type CertificateWatch = () => number | null;

/** Makes the watch, which first checks when first called. @param siteUrl without https there is none */
export function watchCertificate(siteUrl: string): CertificateWatch {
  const { protocol, hostname, port } = new URL(siteUrl);
  if (protocol !== "https:") return () => null;
  let endsAt: number | null = null;
  let nextAt = -Infinity;
  return () => {
    if (performance.now() >= nextAt) {
      nextAt = performance.now() + RETRY_MS;
      askForCertificate(hostname.replace(/^\[|\]$/g, ""), Number(port || 443), LIMIT_MS).then(
        ({ ends_at }) => {
          endsAt = ends_at.getTime();
          nextAt = performance.now() + KEPT_MS;
        },
        // An address unreachable from here may work for everyone else; `spawnpoint check` distinguishes the two.
        () => {},
      );
    }
    return endsAt === null ? null : Math.floor((endsAt - Date.now()) / DAY_MS);
  };
}
