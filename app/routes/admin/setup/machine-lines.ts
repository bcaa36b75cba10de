// Commands for the site's machine: the same in every language.

/** Mail server settings. */
export const MAIL_SETTINGS = "SMTP_URL=smtp://user:password@mail.example.org:587\nMAIL_FROM=site@example.org";
/** Backup folder that deploy/spawnpoint.service lets the site write to. */
export const BACKUP_SETTINGS = "BACKUP_DIR=/var/backups/spawnpoint";
/** Creates that folder. */
export const BACKUP_FOLDER = "install -d -m 0700 -o spawnpoint -g spawnpoint /var/backups/spawnpoint";
/** Makes the site reload its settings. */
export const RESTART = "systemctl restart spawnpoint";
