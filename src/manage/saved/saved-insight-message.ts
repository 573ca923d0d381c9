/** Saved insights as messages: reads, merges and renders their fields. */
import type { ListSavedInsightsRequest__Output } from '../../../proto/gen/sluice/v1/ListSavedInsightsRequest.ts'
import type { SavedInsight } from '../../../proto/gen/sluice/v1/SavedInsight.ts'
import type { UpdateSavedInsightRequest__Output } from '../../../proto/gen/sluice/v1/UpdateSavedInsightRequest.ts'
import type { ProjectId } from '../../core/ids.ts'
import { defaultsOf } from '../../postgres/settings-fields.ts'
import {
  INSIGHT_FIELDS,
  type InsightSelection,
  type InsightSettings,
  type StoredInsight,
} from '../../store/saved/saved-insight-store.ts'
import { SAVED_ORDERS, type SavedOrder, type StoredChanges } from '../../store/saved/saved-list.ts'
import { toUserSummary } from '../people/user-message.ts'
import { mergeFields, toFields } from '../settings-messages.ts'
import { wordsOf } from '../words-of-search.ts'

/** Full name of the message, as the audit log takes it. */
export const INSIGHT_TYPE = 'sluice.v1.SavedInsight'

/** Settings of a new insight unless its request sets them. */
export const INSIGHT_DEFAULTS: InsightSettings = defaultsOf(INSIGHT_FIELDS)

/** The writable fields, which the messages of a create and an update share. */
export type InsightFields = Omit<UpdateSavedInsightRequest__Output, 'id' | 'project_id'>

/** The settings that `base` and the given fields make together. */
export function mergeInsight(base: InsightSettings, request: InsightFields): InsightSettings {
  return mergeFields(INSIGHT_FIELDS, base, request)
}

type ListFields = Pick<
  ListSavedInsightsRequest__Output,
  'search' | 'short_id' | 'favorited' | 'kind'
>

export function toInsightSelection(project: ProjectId, request: ListFields): InsightSelection {
  return {
    project,
    words: wordsOf(request.search),
    shortId: request.short_id === '' ? undefined : request.short_id,
    favorited: request.favorited,
    kind: request.kind,
  }
}

/** Relies on the validator, which has refused unknown orders. */
export function savedOrder(order: string | undefined): SavedOrder {
  return SAVED_ORDERS.find((each) => each === order) ?? '-last_modified_at'
}

export function toSavedInsight(stored: StoredInsight): SavedInsight {
  return {
    id: stored.id,
    short_id: stored.shortId,
    ...toFields(INSIGHT_FIELDS, stored),
    ...changeFields(stored),
  }
}

/** Fields of creation and last change: user and time. */
export function changeFields({
  createdAt,
  createdBy,
  lastModifiedAt,
  lastModifiedBy,
}: StoredChanges) {
  return {
    created_at: createdAt,
    ...(createdBy === null ? {} : { created_by: toUserSummary(createdBy) }),
    last_modified_at: lastModifiedAt,
    ...(lastModifiedBy === null ? {} : { last_modified_by: toUserSummary(lastModifiedBy) }),
  }
}
