/** Event definitions as messages: reads, merges and renders their fields. */
import type { EventDefinition } from '../../../proto/gen/sluice/v1/EventDefinition.ts'
import type { ListEventDefinitionsRequest__Output } from '../../../proto/gen/sluice/v1/ListEventDefinitionsRequest.ts'
import type { UpdateEventDefinitionRequest__Output } from '../../../proto/gen/sluice/v1/UpdateEventDefinitionRequest.ts'
import { type ProjectId, userId } from '../../core/ids.ts'
import type {
  DefinitionOrder,
  DefinitionSelection,
  DefinitionSettings,
  StoredDefinition,
} from '../../store/definitions/event-definition-store.ts'
import { merger, tagsOf } from '../merge.ts'
import { toUserSummary } from '../people/user-message.ts'
import { wordsOf } from '../words-of-search.ts'

/** Full name of the message, as the audit log takes it. */
export const DEFINITION_TYPE = 'sluice.v1.EventDefinition'

const ORDERS: Readonly<Record<DefinitionOrder, true>> = {
  name: true,
  '-name': true,
  volume_30_day: true,
  '-volume_30_day': true,
  query_usage_30_day: true,
  '-query_usage_30_day': true,
}

const KINDS: Readonly<Record<string, DefinitionSelection['kind']>> = {
  event: 'all',
  event_custom: 'custom',
  event_posthog: 'library',
}

type ListFields = Pick<ListEventDefinitionsRequest__Output, 'search' | 'event_type'>

/** Relies on the validator, which has refused unknown event types. */
export function toSelection(project: ProjectId, request: ListFields): DefinitionSelection {
  return {
    project,
    words: wordsOf(request.search),
    kind: KINDS[request.event_type ?? 'event'] ?? 'all',
  }
}

/** An unknown order means the default one, without an error. */
export function toOrder(ordering: string | undefined): DefinitionOrder {
  return isOrder(ordering) ? ordering : '-volume_30_day'
}

function isOrder(text: string | undefined): text is DefinitionOrder {
  return text !== undefined && Object.hasOwn(ORDERS, text)
}

/** The writable fields of an update. */
export type DefinitionFields = Omit<UpdateEventDefinitionRequest__Output, 'id' | 'project_id'>

/** The settings that `base` and the given fields make together. */
export function mergeDefinition(
  base: DefinitionSettings,
  request: DefinitionFields,
): DefinitionSettings {
  const { json, orNull, orKept } = merger(request.null_fields)
  const tags = json('tags', request.tags, null)
  const { owner } = request
  return {
    owner: orNull('owner', owner === undefined ? undefined : userId(owner), base.owner),
    description: orNull('description', request.description, base.description),
    tags: tagsOf(Array.isArray(tags) ? tags : undefined) ?? base.tags,
    verified: orKept(request.verified, base.verified),
    postToChat: orKept(request.post_to_chat, base.postToChat),
  }
}

export function toEventDefinition(stored: StoredDefinition): EventDefinition {
  const { owner, description, updatedBy, verifiedBy, verifiedAt } = stored
  return {
    id: stored.id,
    name: stored.name,
    ...(owner === null ? {} : { owner }),
    ...(description === null ? {} : { description }),
    tags: [...stored.tags],
    volume_30_day: stored.volume30Day,
    query_usage_30_day: stored.queryUsage30Day,
    created_at: stored.createdAt,
    updated_at: stored.updatedAt,
    ...(updatedBy === null ? {} : { updated_by: toUserSummary(updatedBy) }),
    last_seen_at: stored.lastSeenAt,
    // Only an update by a member changes the fields of a definition.
    last_updated_at: stored.updatedAt,
    verified: stored.verified,
    ...(verifiedAt === null ? {} : { verified_at: verifiedAt }),
    ...(verifiedBy === null ? {} : { verified_by: toUserSummary(verifiedBy) }),
    is_action: 'false',
    is_calculating: false,
    post_to_chat: stored.postToChat,
  }
}
