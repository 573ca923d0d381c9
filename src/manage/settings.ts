/** Settings for the retention of events. */
export type RetentionSettings = Pick<ManagementSettings, 'retentionWaitHours'>

/** Operator settings that management calls depend on. */
export type ManagementSettings = {
  /** Semantic version of this instance. */
  readonly version: string
  /** Public URL for links in mails; undefined when no mail can be sent. */
  readonly mail: { readonly publicUrl: string } | undefined
  /** Plugins may be fetched from a URL. */
  readonly pluginUrls: boolean
  /** Invites that an organization, and that one user, may make a day. */
  readonly invitesPerDay: number
  /** Milliseconds of each one that queries of an organization may run on average. */
  readonly queryShare: number
  /** Days that the operator keeps backups; undefined when that is not set. */
  readonly backupDays: number | undefined
  /** Hours before a shorter retention deletes the first event. */
  readonly retentionWaitHours: number
}
