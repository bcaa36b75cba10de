// Advises operators on a failed backup.
import type { BackupTrouble } from "#domain/site/backups.ts";
import { m } from "../../paraglide/messages.js";

const REMEDIES: Record<BackupTrouble, () => string> = {
  room: m.admin_backup_remedy_room,
  rights: m.admin_backup_remedy_rights,
  other: m.admin_backup_remedy_other,
};

/** Returns a sentence for the admin area. */
export const backupRemedy = (trouble: BackupTrouble): string => REMEDIES[trouble]();
