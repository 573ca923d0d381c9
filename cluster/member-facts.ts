import { MEMBERS_MAX } from '../src/core/limits/limits.ts'
import type { Log } from '../src/core/log.ts'
import { type ParsedRecord, parseRecord } from './members/member-record.ts'
import type { RegistryEntry } from './members/registry.ts'
import type { Member } from './members/view.ts'

/** A member as the registry tells of it. Times are of the reader's monotonic clock. */
export type MemberFact = {
  readonly key: string
  readonly member: Member
  readonly revision: number
  /** Revision at which its key was created. */
  readonly joinedAt: number
  /** When its key was last seen to have changed. */
  readonly heardAt: number
  /** Since when its key is missing, without a word of its removal. */
  readonly absentSince: number | undefined
}

/**
 * What this process has been told about the keys of members. Changes come one by one, and whole
 * lists beside them, which may be older than the last change: each key remembers by how many turns
 * it was told of last, and a list says how many there were when it was asked for.
 */
export type MemberFacts = {
  /** One key was written. True when the members have changed. */
  put(entry: RegistryEntry, now: number): boolean
  /** One key was removed. True when the members have changed. */
  removed(key: string, revision: number): boolean
  /** To be asked before a list is asked for. */
  turn(): number
  /** Every key there is, asked for at `turn`. True when the members have changed. */
  listed(entries: readonly RegistryEntry[], turn: number, now: number): boolean
  /** Drops a member of which the registry says nothing. */
  forget(key: string): void
  get(key: string): MemberFact | undefined
  all(): readonly MemberFact[]
  /** In one order everywhere. */
  members(): readonly Member[]
  /** True once after something was told that only a list can explain. */
  wantsList(): boolean
}

/** A key that is gone keeps its revision, so that what was written before does not bring it back. */
type Known = { readonly revision: number; readonly turn: number; readonly fact?: MemberFact }

export function createMemberFacts(log: Log): MemberFacts {
  const known = new Map<string, Known>()
  const warned = new Set<string>()
  let turns = 0
  let puzzled = false

  const warnOnce = (message: string, key: string, fields: Readonly<Record<string, unknown>>) => {
    if (warned.has(key) || warned.size >= MEMBERS_MAX) return
    warned.add(key)
    log.warn(message, { key, ...fields })
  }

  const note = (key: string, revision: number, fact: MemberFact | undefined): boolean => {
    const before = known.get(key)
    if (before === undefined && known.size >= MEMBERS_MAX) {
      warnOnce('too many members: some are ignored', key, { membersMax: MEMBERS_MAX })
      return false
    }
    turns += 1
    known.set(key, { revision, turn: turns, ...(fact === undefined ? {} : { fact }) })
    return !sameMember(before?.fact?.member, fact?.member)
  }

  const accept = ({ key, value, revision }: RegistryEntry, now: number): boolean => {
    const parsed = parseRecord(key, value)
    complain(parsed, key)
    if (parsed.kind !== 'member') return note(key, revision, undefined)
    const { member, joinedAt: told } = parsed.record
    const joinedAt = told === 0 ? revision : told
    const fact = { key, member, revision, joinedAt, heardAt: now, absentSince: undefined }
    return note(key, revision, fact)
  }

  const complain = (parsed: ParsedRecord, key: string) => {
    if (parsed.kind === 'unreadable') {
      warnOnce('key of a member cannot be read and is ignored', key, { problem: parsed.problem })
    }
    if (parsed.kind === 'foreign') {
      const { about, protocol } = parsed
      warnOnce('member of another cluster protocol is ignored', key, { about, protocol })
    }
  }

  const miss = (key: string, { fact, ...rest }: Known, now: number) => {
    if (fact === undefined) known.delete(key)
    else known.set(key, { ...rest, fact: { ...fact, absentSince: fact.absentSince ?? now } })
  }

  const all = () => [...known.values()].flatMap(({ fact }) => (fact === undefined ? [] : [fact]))

  return {
    put(entry, now) {
      const before = known.get(entry.key)
      if (before !== undefined && entry.revision < before.revision) {
        // Told late, or of a store that counts from one again.
        puzzled = true
        return false
      }
      return before?.revision !== entry.revision && accept(entry, now)
    },
    removed(key, revision) {
      const before = known.get(key)
      if (before !== undefined && revision < before.revision) {
        puzzled = true
        return false
      }
      return note(key, revision, undefined)
    },
    turn: () => turns,
    listed(entries, turn, now) {
      let changed = false
      const present = new Set<string>()
      for (const entry of entries) {
        present.add(entry.key)
        const before = known.get(entry.key)
        const toldSince = before !== undefined && before.turn > turn
        if (toldSince && entry.revision <= before.revision) continue
        if (before?.revision === entry.revision && before.fact?.absentSince === undefined) continue
        changed = accept(entry, now) || changed
      }
      for (const [key, each] of [...known]) {
        if (!present.has(key) && each.turn <= turn) miss(key, each, now)
      }
      return changed
    },
    forget: (key) => void known.delete(key),
    get: (key) => known.get(key)?.fact,
    all,
    members: () =>
      all()
        .map(({ member }) => member)
        .sort((a, b) => (a.id < b.id ? -1 : 1)),
    wantsList() {
      const wants = puzzled
      puzzled = false
      return wants
    },
  }
}

function sameMember(a: Member | undefined, b: Member | undefined): boolean {
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
