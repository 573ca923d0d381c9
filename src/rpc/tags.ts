import type { Json } from '../wire/proto/value.ts'

/** Tags as they are kept: trimmed, in lower case, each once, sorted. None given, none answered. */
export function tagsOf(given: readonly Json[] | undefined): string[] | undefined {
  if (given === undefined) return undefined
  const texts = given.filter((item) => typeof item === 'string')
  const tags = texts.map((text) => text.trim().toLowerCase()).filter((text) => text !== '')
  return [...new Set(tags)].sort()
}
