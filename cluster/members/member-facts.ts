/**
 * Keys of members, as this process knows them. Changes arrive one by one, and complete lists arrive
 * beside them. A list may be older than the last change: so each key remembers the number of its
 * last change, and a list comes with the number of changes there were when it was requested.
 */
import type { Log } from '../../src/core/log.ts'
import { type ParsedRecord, parseRecord } from './member-record.ts'
import type { RegistryEntry } from './registry.ts'
import type { Member } from './view.ts'

/** Keys of members that one process looks at; a cluster is far smaller. */
export const MEMBERS_MAX = 1_000

/**
 * A member as the registry describes it. Times are milliseconds of the reader's monotonic clock.
 */
export type MemberFact = {
  readonly key: string
  readonly member: Member
  readonly revision: number
  /** Revision at which its key was created. */
  readonly joinedAt: number
  /** Time at which this process last saw its key change. */
  readonly changedAt: number
  /** Since when its key has been missing from lists, though no removal was seen. */
  readonly absentSince: number | undefined
}

export type MemberFacts = {
  /** A key was written. @returns whether the members have changed. */
  put(entry: RegistryEntry, now: number): boolean
  /** A key was removed. @returns whether the members have changed. */
  removed(key: string, revision: number): boolean
  /** Number of changes so far: to be read before a list is requested. */
  changeCount(): number
  /**
   * A list of every key has arrived.
   * @param countBefore `changeCount()` when the list was requested.
   * @returns whether the members have changed.
   */
  listed(entries: readonly RegistryEntry[], countBefore: number, now: number): boolean
  /** Drops a member whose key is missing. */
  forget(key: string): void
  get(key: string): MemberFact | undefined
  all(): readonly MemberFact[]
  /** Sorted by id, so that every process has the same order. */
  members(): readonly Member[]
  /** True once after a change that only a list can explain. */
  takeListNeeded(): boolean
}

/** A removed key keeps its revision, so that an older write does not bring it back. */
type Known = { readonly revision: number; readonly change: number; readonly fact?: MemberFact }

export function createMemberFacts(log: Log): MemberFacts {
  return new KnownMembers(log)
}

class KnownMembers implements MemberFacts {
  readonly #log: Log
  readonly #known = new Map<string, Known>()
  /** Keys that were logged as unusable: each is logged once. */
  readonly #warned = new Set<string>()
  #changes = 0
  #isListNeeded = false

  constructor(log: Log) {
    this.#log = log
  }

  put(entry: RegistryEntry, now: number): boolean {
    const before = this.#known.get(entry.key)
    if (before !== undefined && entry.revision < before.revision) {
      // The change is late, or of a registry that was made again and counts from one.
      this.#isListNeeded = true
      return false
    }
    return before?.revision !== entry.revision && this.#accept(entry, now)
  }

  removed(key: string, revision: number): boolean {
    const before = this.#known.get(key)
    if (before !== undefined && revision < before.revision) {
      this.#isListNeeded = true
      return false
    }
    return this.#note(key, revision, undefined)
  }

  changeCount(): number {
    return this.#changes
  }

  listed(entries: readonly RegistryEntry[], countBefore: number, now: number): boolean {
    let changed = false
    const present = new Set<string>()
    for (const entry of entries) {
      present.add(entry.key)
      const before = this.#known.get(entry.key)
      const changedSince = before !== undefined && before.change > countBefore
      if (changedSince && entry.revision <= before.revision) continue
      if (before?.revision === entry.revision && before.fact?.absentSince === undefined) continue
      changed = this.#accept(entry, now) || changed
    }
    for (const [key, each] of [...this.#known]) {
      if (!present.has(key) && each.change <= countBefore) this.#markAbsent(key, each, now)
    }
    return changed
  }

  forget(key: string): void {
    this.#known.delete(key)
  }

  get(key: string): MemberFact | undefined {
    return this.#known.get(key)?.fact
  }

  all(): readonly MemberFact[] {
    return [...this.#known.values()].flatMap(({ fact }) => (fact === undefined ? [] : [fact]))
  }

  members(): readonly Member[] {
    return this.all()
      .map(({ member }) => member)
      .sort((a, b) => (a.id < b.id ? -1 : 1))
  }

  takeListNeeded(): boolean {
    const isNeeded = this.#isListNeeded
    this.#isListNeeded = false
    return isNeeded
  }

  #accept({ key, value, revision }: RegistryEntry, now: number): boolean {
    const parsed = parseRecord(key, value)
    this.#warnUnusable(parsed, key)
    if (parsed.kind !== 'member') return this.#note(key, revision, undefined)
    const { member, joinedAt: written } = parsed.record
    const joinedAt = written === 0 ? revision : written
    const fact = { key, member, revision, joinedAt, changedAt: now, absentSince: undefined }
    return this.#note(key, revision, fact)
  }

  #note(key: string, revision: number, fact: MemberFact | undefined): boolean {
    const before = this.#known.get(key)
    if (before === undefined && this.#known.size >= MEMBERS_MAX) {
      this.#warnOnce('too many members: some are ignored', key, { membersMax: MEMBERS_MAX })
      return false
    }
    this.#changes += 1
    const change = this.#changes
    this.#known.set(key, { revision, change, ...(fact === undefined ? {} : { fact }) })
    return !isSameMember(before?.fact?.member, fact?.member)
  }

  #markAbsent(key: string, { fact, ...rest }: Known, now: number): void {
    if (fact === undefined) this.#known.delete(key)
    else {
      const absentSince = fact.absentSince ?? now
      this.#known.set(key, { ...rest, fact: { ...fact, absentSince } })
    }
  }

  #warnUnusable(parsed: ParsedRecord, key: string): void {
    if (parsed.kind === 'unreadable') {
      const { problem } = parsed
      this.#warnOnce('key of a member cannot be read and is ignored', key, { problem })
    }
    if (parsed.kind === 'foreign') {
      const { about, protocol } = parsed
      this.#warnOnce('member of another cluster protocol is ignored', key, { about, protocol })
    }
  }

  #warnOnce(message: string, key: string, fields: Readonly<Record<string, unknown>>): void {
    if (this.#warned.has(key) || this.#warned.size >= MEMBERS_MAX) return
    this.#warned.add(key)
    this.#log.warn(message, { key, ...fields })
  }
}

function isSameMember(a: Member | undefined, b: Member | undefined): boolean {
  if (a === undefined || b === undefined) return a === b
  return (
    a.id === b.id &&
    a.address === b.address &&
    a.role === b.role &&
    a.state === b.state &&
    a.weight === b.weight &&
    a.version === b.version
  )
}
