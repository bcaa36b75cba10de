// A webhook's secret in the one moment in which it is shown.
import { m } from "../../../paraglide/messages.js";
import { CopyBlock } from "../../../ui/copy-block/copy-block.tsx";

export const SecretOnce = ({ secret }: { secret: string }) => (
  <CopyBlock label={m.admin_notify_webhook_secret()} text={secret} />
);
