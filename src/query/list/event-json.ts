/** Events as JSON text. */
import { elementsJson } from '../../events/elements-chain.ts'
import type { QueriedEvent } from '../../events/ports.ts'
import { storedTimeText } from '../bounds.ts'

/** JSON text of an event whose properties, person and elements are JSON, not texts of it. */
export function nativeEventJson(event: QueriedEvent): string {
  const members = [
    `"id":${JSON.stringify(event.uuid)}`,
    `"distinct_id":${JSON.stringify(event.distinctId)}`,
    `"properties":${event.properties}`,
    `"event":${JSON.stringify(event.event)}`,
    `"timestamp":${JSON.stringify(storedTimeText(event.micros))}`,
    `"person":${event.person ?? 'null'}`,
    `"elements":${elementsJson(event.elementsChain)}`,
    `"elements_chain":${JSON.stringify(event.elementsChain)}`,
  ]
  return `{${members.join()}}`
}
