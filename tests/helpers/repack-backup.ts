/** Makes a hostile backup of a good one: other content, with all checksums right. */

import { fileName, MANIFEST, rowsName, SUMMARY, secretName } from "../../cli/backup/backup-shape.ts";
import { openBackup } from "../../cli/backup/read-backup-file.ts";
import { createBackupFile } from "../../cli/backup/write-backup-file.ts";

export type Entry = [name: string, bytes: Buffer];

export async function repack(from: string, to: string, change: (entries: Entry[]) => Entry[]): Promise<void> {
  const backup = await openBackup(from);
  const entries: Entry[] = [];
  for await (const { part, bytes } of backup.parts()) {
    const name = {
      manifest: () => MANIFEST,
      summary: () => SUMMARY,
      sums: () => "",
      rows: () => (part.kind === "rows" ? rowsName(part.table, part.number) : ""),
      file: () => (part.kind === "file" ? fileName(part.bucket, part.key) : ""),
      secret: () => (part.kind === "secret" ? secretName(part.name) : ""),
    }[part.kind]();
    entries.push([name, Buffer.from(bytes)]);
  }
  await backup.close();
  const out = await createBackupFile(to);
  for (const [name, bytes] of change(entries)) await out.add(name, bytes);
  await out.finish();
}
