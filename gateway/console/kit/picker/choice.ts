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
  /** How often it came lately; undefined where nobody has counted. */
  readonly count?: number | undefined
  readonly description?: string | null | undefined
  readonly lastSeenAt?: string | null | undefined
  readonly samples?: readonly string[]
}

export type Group = {
  readonly source: Source
  readonly options: readonly Option[]
  /** All names that match are here: one that is not among them does not exist. */
  readonly isWhole: boolean
}

/** Every word is in the name or in what is shown for it, whatever the case. */
export function matches(search: string, texts: readonly string[]): boolean {
  const all = texts.join(' ').toLowerCase()
  return search
    .toLowerCase()
    .split(/\s+/)
    .every((word) => all.includes(word))
}

/** Where typed text may become a name that nothing was found for. */
export function unseen(search: string, groups: readonly Group[]): Choice | undefined {
  const name = search.trim()
  const [first] = groups
  if (name === '' || first === undefined || first.source === 'metadata') return undefined
  const isKnown = groups.some(({ options }) => options.some((each) => each.name === name))
  return isKnown ? undefined : { source: first.source, name }
}
