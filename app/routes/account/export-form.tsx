// Downloads the member's data as a file. Without script the browser does it.
import { type SubmitEvent, useRef, useState } from "react";
import { m } from "../../paraglide/messages.js";
import { Button } from "../../ui/button/button.tsx";
import { NoAnswer } from "../../ui/form/no-answer.tsx";
import { readResponse, type Unanswered } from "../../ui/form/unanswered.ts";
import { settingsForm } from "../../ui/settings-section/settings-section.tsx";

/** Uses script, because a browser that gets no answer to a plain form leaves the page. */
export function ExportForm({ action }: { action: string }) {
  const [failure, setFailure] = useState<Unanswered | null>(null);
  const [busy, setBusy] = useState(false);
  const form = useRef<HTMLFormElement>(null);
  async function fetchFile() {
    const fields = new URLSearchParams();
    for (const [name, value] of new FormData(form.current ?? undefined)) fields.append(name, String(value));
    setFailure(null);
    setBusy(true);
    setFailure(await download(action, fields).catch((): Unanswered => "lost"));
    setBusy(false);
  }
  function onSubmit(event: SubmitEvent) {
    event.preventDefault();
    void fetchFile();
  }
  return (
    <form ref={form} method="post" action={action} className={settingsForm} onSubmit={onSubmit}>
      <Button type="submit" variant="secondary" loading={busy}>
        {m.account_data_export()}
      </Button>
      {failure && <NoAnswer failed={m.failed_export()} failure={failure} typed={false} onAgain={fetchFile} />}
    </form>
  );
}

/** Null: the browser has the file, or follows the site's redirect. */
async function download(address: string, fields: URLSearchParams): Promise<Unanswered | null> {
  const response = await fetch(address, { method: "POST", body: fields });
  if (response.redirected) {
    location.assign(response.url);
    return null;
  }
  if (!response.ok) return readResponse(response) ?? "broken";
  const link = document.createElement("a");
  link.href = URL.createObjectURL(await response.blob());
  link.download = /filename="([^"]+)"/.exec(response.headers.get("Content-Disposition") ?? "")?.[1] ?? "my-data.json";
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
  return null;
}
