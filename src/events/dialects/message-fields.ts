/**
 * Fields of Segment's messages that an event carries outside of its properties. Clients of the
 * product's own form send the same fields: `context`, `name` and `category` mean the same there,
 * `messageId` has no meaning.
 */

import { isObject, type JsonDraft, type JsonObject } from '../../core/json.ts'
import { GROUP_KEY_LENGTH_MAX } from '../../core/limits/limits.ts'
import { idText } from '../clean-event-text.ts'
import { messageUuid } from '../uuid.ts'

/** Segment's groups have no type; all of them become groups of this one. */
export const GROUP_TYPE = 'group'
/** Longest message id; longer ones are ignored. */
const MESSAGE_ID_LENGTH_MAX = 1_024

/**
 * Copies the user's ip and group from `context`; properties of the event take precedence. A request
 * with an ip in its context was sent by a server, whose own address would be wrong.
 */
export function readContext({ context }: JsonObject, properties: JsonDraft): void {
  if (!isObject(context)) return
  if (typeof context['ip'] === 'string') properties['$ip'] ??= context['ip']
  const groupId = idText(context['groupId'], GROUP_KEY_LENGTH_MAX)
  if (groupId !== '') properties['$groups'] ??= { [GROUP_TYPE]: groupId }
}

/** The uuid that `messageId` of Segment's form makes: a message sent again is stored once. */
export function uuidOfMessage({ messageId }: JsonObject, projectId: number): string | undefined {
  const isId =
    typeof messageId === 'string' && messageId !== '' && messageId.length <= MESSAGE_ID_LENGTH_MAX
  return isId ? messageUuid(projectId, messageId) : undefined
}

/** Keeps the name and the category of a page or a screen, where its properties have none. */
export function describePage(item: JsonObject, properties: JsonDraft): void {
  properties['name'] ??= item['name'] ?? undefined
  properties['category'] ??= item['category'] ?? undefined
}
