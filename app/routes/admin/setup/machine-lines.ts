// What is typed on the machine of the site: the same in every language.

/** Settings of a mail server. */
export const MAIL_SETTINGS = "SMTP_URL=smtp://user:password@mail.example.org:587\nMAIL_FROM=site@example.org";
/** The folder for backups that deploy/spawnpoint.service lets the site write to. */
export const BACKUP_SETTINGS = "BACKUP_DIR=/var/backups/spawnpoint";
/** Makes that folder. */
export const BACKUP_FOLDER = "install -d -m 0700 -o spawnpoint -g spawnpoint /var/backups/spawnpoint";
/** Has the site read its settings again. */
export const RESTART = "systemctl restart spawnpoint";
