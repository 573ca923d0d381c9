/** Choices of a picker of names, and the chosen one. */

/**
 * `event`: names of events; `page` and `screen`: what paths call them; `metadata`: of the event
 * itself; the others are properties.
 */
export type Source =
  | 'event'
  | 'page'
  | 'screen'
  | 'event_property'
  | 'person_property'
  | 'group_property'
  | 'metadata'

export type Choice = { readonly source: Source; readonly name: string }

export type Option = Choice & {
  /** Recent number of events; undefined where it was not counted. */
  readonly count?: number | undefined
  readonly description?: string | null | undefined
  readonly lastSeenAt?: string | null | undefined
  readonly samples?: readonly string[]
}

export type Group = {
  readonly source: Source
  readonly options: readonly Option[]
  /** All matching names are listed: a name that is not among them does not exist. */
  readonly isWhole: boolean
}

/** Whether every word is in the name or in its display name, whatever the case. */
export function matches(search: string, texts: readonly string[]): boolean {
  const all = texts.join(' ').toLowerCase()
  return search
    .toLowerCase()
    .split(/\s+/)
    .every((word) => all.includes(word))
}

/** Typed text as a name, where it is not among the known ones; undefined for other text. */
export function unseen(search: string, groups: readonly Group[]): Choice | undefined {
  const name = search.trim()
  const [first] = groups
  if (name === '' || first === undefined || first.source === 'metadata') return undefined
  const isKnown = groups.some(({ options }) => options.some((each) => each.name === name))
  return isKnown ? undefined : { source: first.source, name }
}
