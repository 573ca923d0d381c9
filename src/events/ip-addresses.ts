/** Takes the addresses of people out of the properties of an event. */

import { isObject, type JsonDraft } from '../core/json.ts'

/** Ours, Mixpanel's and other clients' own, and the first one ever seen of a person. */
const NAMES = ['$ip', 'ip', '$initial_ip'] as const
/** Properties that become those of a person or of a group. */
const HOLDERS = ['$set', '$set_once', '$group_set'] as const

/**
 * Removes each address that a client or the server has put into an event's properties, for projects
 * that anonymize addresses: those of the event, and those it would set on its person or group. A
 * key set to undefined is left out of the JSON text, while `delete` would make a slow object.
 */
export function removeIpAddresses(properties: JsonDraft): void {
  removeNames(properties)
  for (const holder of HOLDERS) {
    const held = properties[holder]
    if (isObject(held)) removeNames(held)
  }
}

function removeNames(draft: JsonDraft): void {
  for (const name of NAMES) if (draft[name] !== undefined) draft[name] = undefined
}
