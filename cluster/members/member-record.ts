import { MEMBER_VALUE_CHARS_MAX } from '../../src/core/limits/limits.ts'
import { isRecord } from '../../src/wire/proto/rules.ts'
import type { RemovedReason } from './member-store.ts'
import type { Member } from './view.ts'

/**
 * Raised when members of this version and of older ones must not be in one cluster. Version and
 * fields may differ otherwise: unknown fields are read over.
 */
export const CLUSTER_PROTOCOL = 1

/** What the key of a member holds. */
export type MemberRecord = {
  readonly member: Member
  /** Revision at which the key was created; 0 in that first value, which cannot know it. */
  readonly joinedAt: number
  /** Renewals in a row that were confirmed: who has few of them has judged nobody yet. */
  readonly beats: number
  /** Tells each write of a member from all its others. */
  readonly nonce: string
}

export type ParsedRecord =
  | { readonly kind: 'member'; readonly record: MemberRecord }
  /** Others have removed the member. The key stays until the store forgets it, so that it learns. */
  | { readonly kind: 'gone'; readonly reason: RemovedReason }
  /** A member that this version cannot be in one cluster with. */
  | { readonly kind: 'foreign'; readonly protocol: number; readonly about: string }
  | { readonly kind: 'unreadable'; readonly problem: string }

export function memberKey({ role, id }: Pick<Member, 'role' | 'id'>): string {
  return `${role}.${id}`
}

export function formatMember({ member, ...rest }: MemberRecord): string {
  return JSON.stringify({ protocol: CLUSTER_PROTOCOL, ...member, ...rest })
}

export function formatGone(reason: RemovedReason, by: string): string {
  return JSON.stringify({ protocol: CLUSTER_PROTOCOL, gone: reason, by })
}

/** Reads what any version, or anyone with a NATS client, may have written. Never throws. */
export function parseRecord(key: string, value: string): ParsedRecord {
  if (value.length > MEMBER_VALUE_CHARS_MAX) return unreadable('it is too long')
  const fields = parseObject(value)
  if (fields === undefined) return unreadable('it is no JSON object')
  const { protocol, gone } = fields
  if (gone === 'declared_dead' || gone === 'replaced') return { kind: 'gone', reason: gone }
  if (typeof protocol !== 'number') return unreadable('it names no protocol')
  if (protocol !== CLUSTER_PROTOCOL) {
    const about = `${String(fields.address)}, version ${String(fields.version)}`
    return { kind: 'foreign', protocol, about }
  }
  const member = parseMember(fields)
  if (member === undefined) return unreadable('a field is missing or of another kind')
  if (memberKey(member) !== key) return unreadable('it belongs to another key')
  const { joinedAt, beats, nonce } = fields
  if (!isCount(joinedAt) || !isCount(beats) || typeof nonce !== 'string') {
    return unreadable('a count or the nonce is missing')
  }
  return { kind: 'member', record: { member, joinedAt, beats, nonce } }
}

function parseMember(fields: Readonly<Record<string, unknown>>): Member | undefined {
  const { id, address, weight, version } = fields
  const role = oneOf(fields.role, 'worker', 'standalone', 'gateway')
  const state = oneOf(fields.state, 'active', 'draining', 'drained')
  if (typeof id !== 'string' || typeof address !== 'string' || typeof version !== 'string') {
    return undefined
  }
  if (typeof weight !== 'number' || !(weight > 0 && weight < Number.POSITIVE_INFINITY)) {
    return undefined
  }
  if (role === undefined || state === undefined) return undefined
  return { id, address, role, state, weight, version }
}

function parseObject(text: string): Readonly<Record<string, unknown>> | undefined {
  try {
    const value: unknown = JSON.parse(text)
    return isRecord(value) ? value : undefined
  } catch {
    return undefined // Not JSON at all.
  }
}

function oneOf<const T extends string>(value: unknown, ...words: readonly T[]): T | undefined {
  return words.find((word) => word === value)
}

function isCount(value: unknown): value is number {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0
}

function unreadable(problem: string): ParsedRecord {
  return { kind: 'unreadable', problem }
}
