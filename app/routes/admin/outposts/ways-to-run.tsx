// The lines that start an outpost on another machine, ready to copy. None of them leaves the token where `ps` shows it.
import { outpostCommands } from "#shared/outpost-commands.ts";
import { m } from "../../../paraglide/messages.js";
import { Alert } from "../../../ui/alert/alert.tsx";
import { CopyButton } from "../../../ui/copy-button/copy-button.tsx";
import css from "./outposts.module.css";

const isLocal = (url: string) => ["localhost", "127.0.0.1", "[::1]"].includes(new URL(url).hostname);

export function WaysToRun({ token, siteUrl }: { token: string; siteUrl: string }) {
  const lines = outpostCommands(siteUrl, token);
  const ways = [
    { way: m.admin_outposts_by_systemd(), line: lines.systemd },
    { way: m.admin_outposts_by_docker(), line: lines.docker },
    { way: m.admin_outposts_by_npm(), line: lines.npm },
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
