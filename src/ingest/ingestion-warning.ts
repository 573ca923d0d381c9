/** What ingestion tells a project: something of its events was left out, and why. */

import type { ProjectId } from '../core/ids.ts'
import type { JsonObject } from '../core/json.ts'

/** Known to clients of PostHog by these names. */
export type IngestionWarningType =
  | 'person_properties_size_violation'
  | 'group_properties_size_violation'

export type IngestionWarning = {
  readonly projectId: ProjectId
  readonly type: IngestionWarningType
  /** Whom it is about: warnings of one type about one of them are counted together. */
  readonly subject: string
  /** Of the newest one; its size is bounded by what goes in. */
  readonly details: JsonObject
}
