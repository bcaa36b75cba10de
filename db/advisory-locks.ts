/** The advisory locks of the database, all in one list: two that shared a number would wait for each other. */

/** Of one number, as `pg_advisory_lock(number)` takes it. Versions of this site that run beside each other use the same. */
export const LOCKS = {
  /** Whoever changes the tables; a backup shares it. */
  migration: 5_773_100,
  samplePartitions: 5_773_101,
  /** A change of the site's secret; whoever makes sure of it shares it. */
  secret: 5_773_102,
  /** Shares of those who wait for a game server are counted by one process at a time. */
  waiting: 5_773_103,
  /** Keeps two first admins from being made at once. */
  firstAdmin: 5_773_104,
  scheduledBackup: 5_773_110,
  /** One process at a time decides who was told within the hour. */
  fanOut: 5_773_111,
  followersWait: 5_773_112,
  outages: 5_773_113,
  // These let two admins at once not make one too many.
  plans: 5_773_120,
  discordChannels: 5_773_121,
  outposts: 5_773_122,
  operatorChannels: 5_773_123,
  rules: 5_773_124,
} as const;

/** The first of two numbers, as `pg_advisory_lock(number, hash)` takes them; the second is a hash of what is locked. */
export const LOCK_KINDS = {
  /** Jobs that run once at a time, by their names. */
  jobs: 5_773,
  /** Targets of notifications, by their addresses, and the limits on how many there are. */
  targets: 5_773_110,
} as const;
