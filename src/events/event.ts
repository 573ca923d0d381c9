/** One accepted event on its way from the gateway to the store. Texts are clean: no NUL, no lone surrogates. */
export type IngestEvent = {
  /** Lower-case UUID: makes a second write of the event harmless. */
  readonly uuid: string
  /** 1 to 200 code points. */
  readonly event: string
  /** 1 to 200 code points, not blank. */
  readonly distinctId: string
  /** `YYYY-MM-DDTHH:MM:SS.ffffffZ`, UTC, microseconds; years 0000 to 9999. */
  readonly timestamp: string
  /** JSON text of an object. */
  readonly properties: string
  /** Empty when the event has no elements. */
  readonly elementsChain: string
  readonly person: PersonChange
  /** `$groups` of the event in the order sent; at most `GROUPS_PER_EVENT_MAX`. */
  readonly groups: readonly GroupRef[]
  /** Set on `$groupidentify` with a type and a key. */
  readonly groupChange: GroupChange | undefined
}

/** Change that the event makes to the person who owns its distinct id. */
export type PersonChange = {
  /** False for `$process_person_profile: false`: no person is created or updated. */
  readonly profile: boolean
  /** JSON text of an object, or empty: applied as once, then volatile, then set, then unset. */
  readonly setOnce: string
  /** Names that are not in `set`. Set where a name is missing, or anything else changes. */
  readonly volatile: string
  readonly set: string
  readonly unset: readonly string[]
  readonly merge: PersonMerge | undefined
}

/** Folds the person of `otherDistinctId` into that of the event's distinct id. */
export type PersonMerge = {
  readonly kind: 'identify' | 'alias' | 'dangerously'
  readonly otherDistinctId: string
}

export type GroupRef = { readonly type: string; readonly key: string }

export type GroupChange = {
  readonly type: string
  readonly key: string
  /** JSON text of an object. */
  readonly set: string
}

export const NO_PERSON_CHANGE: PersonChange = {
  profile: true,
  setOnce: '',
  volatile: '',
  set: '',
  unset: [],
  merge: undefined,
}
