/** Reads the uuid of an event from a request. */
const UUID = /^[0-9a-f]{8}-?[0-9a-f]{4}-?[0-9a-f]{4}-?[0-9a-f]{4}-?[0-9a-f]{12}$/i

/** The UUID in lower case, or undefined when `text` is none. */
export function parseEventId(text: string): string | undefined {
  return UUID.test(text) ? text.toLowerCase() : undefined
}
