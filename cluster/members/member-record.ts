/** The values of members' keys in the registry: JSON, written by any version. */
import { isObject } from '../../src/core/json.ts'
import type { RemovedReason } from './member-store.ts'
import type { Member, MemberProcess } from './view.ts'

/** Characters of the value of one member's key. */
export const MEMBER_VALUE_CHARS_MAX = 4_096

/**
 * Raised when members of this version must not be in one cluster with older ones. Otherwise version
 * and fields may differ: unknown fields are ignored.
 */
export const CLUSTER_PROTOCOL = 1

const INT32_MAX = 2_147_483_647
/** The last moment that a Date can hold. */
const DATE_MS_MAX = 8.64e15

/** Value of a member's key. */
export type MemberRecord = {
  readonly member: Member
  /** Revision at which the key was created; 0 in the first value, which cannot know it. */
  readonly joinedAt: number
  /** Confirmed renewals in a row. A member with few of them has not declared another one dead. */
  readonly beats: number
  /** Different in each write of a member. */
  readonly nonce: string
}

export type ParsedRecord =
  | { readonly kind: 'member'; readonly record: MemberRecord }
  /** Others have removed the member. The key stays until it expires, so that the member learns. */
  | { readonly kind: 'gone'; readonly reason: RemovedReason }
  /** A member of another cluster protocol. */
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

/** Reads a value that any version, or any NATS client, may have written. Never throws. */
export function parseRecord(key: string, value: string): ParsedRecord {
  if (value.length > MEMBER_VALUE_CHARS_MAX) return unreadable('it is too long')
  const fields = parseObject(value)
  if (fields === undefined) return unreadable('it is not a JSON object')
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
  const process = parseProcess(fields.process)
  return { id, address, role, state, weight, version, ...(process && { process }) }
}

function parseProcess(value: unknown): MemberProcess | undefined {
  if (!isObject(value)) return undefined
  const { host, pid, startedMs } = value
  if (typeof host !== 'string' || !isCount(pid) || !isCount(startedMs)) return undefined
  if (pid > INT32_MAX || startedMs > DATE_MS_MAX) return undefined
  return { host, pid, startedMs }
}

function parseObject(text: string): Readonly<Record<string, unknown>> | undefined {
  try {
    const value: unknown = JSON.parse(text)
    return isObject(value) ? value : undefined
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
