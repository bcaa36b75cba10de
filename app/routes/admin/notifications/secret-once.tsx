// Shows a webhook's secret once.
import { m } from "../../../paraglide/messages.js";
import { CopyBlock } from "../../../ui/copy-block/copy-block.tsx";

export const SecretOnce = ({ secret }: { secret: string }) => (
  <CopyBlock label={m.admin_notify_webhook_secret()} text={secret} />
);
