/** Words the warnings of changes that would make a person or a group too large. */

import type { ProjectId } from '../../../core/ids.ts'
import { PROPERTIES_BYTES_MAX } from '../../../core/limits/limits.ts'
import type { GroupChange, IngestEvent } from '../../../events/event.ts'
import type { IngestionWarning } from '../../../events/warnings/ingestion-warning.ts'
import type { RefusedWork } from './refused-changes.ts'

export function personTooLarge({ projectId, work, isMerge }: RefusedWork): IngestionWarning {
  const { distinctId, event, uuid } = work
  const message = isMerge
    ? `The properties of the other person were left out: ${BOUND}`
    : `The properties were not set: ${BOUND}`
  return {
    projectId,
    type: 'person_properties_size_violation',
    subject: distinctId,
    details: { distinct_id: distinctId, event, event_uuid: uuid, message },
  }
}

export function groupTooLarge(
  projectId: ProjectId,
  { event, uuid, distinctId }: IngestEvent,
  { type, key }: GroupChange,
): IngestionWarning {
  const names = { group_type: type, group_key: key, distinct_id: distinctId }
  const message = `The properties were not set: ${BOUND}`
  return {
    projectId,
    type: 'group_properties_size_violation',
    subject: `${type} ${key}`,
    details: { ...names, event, event_uuid: uuid, message },
  }
}

const BOUND = `a person or a group holds ${PROPERTIES_BYTES_MAX} bytes.`
