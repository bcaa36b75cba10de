// The lines that start an outpost on another machine, ready to copy. None of them leaves the token where `ps` shows it.
import { m } from "../../../paraglide/messages.js";
import { Alert } from "../../../ui/alert/alert.tsx";
import { CopyButton } from "../../../ui/copy-button/copy-button.tsx";
import css from "./outposts.module.css";

const isLocal = (url: string) => ["localhost", "127.0.0.1", "[::1]"].includes(new URL(url).hostname);

export function WaysToRun({ token, siteUrl }: { token: string; siteUrl: string }) {
  const ways = [
    {
      way: m.admin_outposts_by_systemd(),
      line: `printf 'SITE_URL=%s\\nOUTPOST_TOKEN=%s\\n' ${siteUrl} ${token} | sudo install -m 0600 /dev/stdin /etc/spawnpoint-outpost.env && sudo systemctl enable --now spawnpoint-outpost`,
    },
    {
      way: m.admin_outposts_by_docker(),
      line: `printf 'OUTPOST_TOKEN=%s\\n' ${token} | install -m 0600 /dev/stdin outpost.env && docker run -d --no-healthcheck --name spawnpoint-outpost --restart on-failure --env-file outpost.env spawnpoint outpost ${siteUrl}`,
    },
    { way: m.admin_outposts_by_npm(), line: `OUTPOST_TOKEN=${token} npm run spawnpoint -- outpost ${siteUrl}` },
  ];
  return (
    <>
      {siteUrl.startsWith("http:") && !isLocal(siteUrl) && (
        <Alert tone="error">{m.admin_outposts_https({ url: siteUrl })}</Alert>
      )}
      <dl className={css.ways}>
        {ways.map(({ way, line }) => (
          <div key={way} className={css.way}>
            <dt>{way}</dt>
            <dd>
              <code className={css.line}>{line}</code>
            </dd>
            <dd>
              <CopyButton text={line} accessibleName={m.admin_outposts_copy({ way })} />
            </dd>
          </div>
        ))}
      </dl>
    </>
  );
}
