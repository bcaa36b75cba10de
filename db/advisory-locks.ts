/** All advisory locks of the database in one list: two with the same number would wait for each other. */

/** Locks with one number, as `pg_advisory_lock(number)` takes it. Versions of this site that run in parallel share them. */
export const LOCKS = {
  /** Changes of the tables; a backup takes it shared. */
  migration: 5_773_100,
  samplePartitions: 5_773_101,
  /** A change of the site's secret; a check of the secret takes it shared. */
  secret: 5_773_102,
  /** One process at a time counts the limits of watchers. */
  waiting: 5_773_103,
  /** Prevents two first admins at once. */
  firstAdmin: 5_773_104,
  scheduledBackup: 5_773_110,
  /** One process at a time decides which targets were notified within the hour. */
  fanOut: 5_773_111,
  followersWait: 5_773_112,
  outages: 5_773_113,
  // These keep concurrent admins from exceeding a limit.
  plans: 5_773_120,
  discordChannels: 5_773_121,
  outposts: 5_773_122,
  operatorChannels: 5_773_123,
  rules: 5_773_124,
} as const;

/** The first of two numbers, as `pg_advisory_lock(number, hash)` takes them; the second is a hash of the locked thing. */
export const LOCK_KINDS = {
  /** Jobs that run one at a time, by name. */
  jobs: 5_773,
  /** Notification targets by address, and the limits on their number. */
  targets: 5_773_110,
} as const;
