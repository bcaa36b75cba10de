// Commands that start an outpost on another machine, ready to copy. None shows the token in `ps`.
import { outpostCommands } from "#shared/outpost-commands.ts";
import { m } from "../../../paraglide/messages.js";
import { Alert } from "../../../ui/alert/alert.tsx";
import { CopyBlock } from "../../../ui/copy-block/copy-block.tsx";

/** True if the address points to the reader's own machine. */
const isLocal = (url: string) => /^(localhost|.*\.localhost|127(\.\d+){3}|\[::1\])$/.test(new URL(url).hostname);

export function WaysToRun({ token, siteUrl }: { token: string; siteUrl: string }) {
  const lines = outpostCommands(siteUrl, token);
  const local = isLocal(siteUrl);
  return (
    <>
      {local && <Alert tone="error">{m.admin_outposts_local({ url: siteUrl })}</Alert>}
      {!local && siteUrl.startsWith("http:") && <Alert tone="error">{m.admin_outposts_https({ url: siteUrl })}</Alert>}
      <CopyBlock label={m.admin_outposts_by_systemd()} text={lines.systemd} note={m.admin_outposts_needs_unit()} />
      <CopyBlock label={m.admin_outposts_by_docker()} text={lines.docker} note={m.admin_outposts_needs_image()} />
      <CopyBlock label={m.admin_outposts_by_npm()} text={lines.npm} />
    </>
  );
}
