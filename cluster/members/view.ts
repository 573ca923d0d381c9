/** The members of a cluster as one process sees them. */

/** Identifies members of one address: gateways of a machine may share their port. */
export type MemberProcess = {
  readonly host: string
  readonly pid: number
  readonly startedMs: number
}

/** A process of the cluster. A restart is a new member: ids are never used twice. */
export type Member = {
  /** Incarnation: a UUID made at start. */
  readonly id: string
  /** host:port of its gRPC server; of a gateway, of its HTTP server. */
  readonly address: string
  readonly role: 'worker' | 'standalone' | 'gateway'
  readonly state: 'active' | 'draining' | 'drained'
  /** Share of the shards relative to the others; 1 is normal. */
  readonly weight: number
  /** Version of the binary. */
  readonly version: string
  /** Absent in records of older releases. */
  readonly process?: MemberProcess
}

/**
 * Immutable snapshot of the members. A view of an older version than the current one is ignored.
 */
export type View = { readonly version: number; readonly members: readonly Member[] }

export const EMPTY_VIEW: View = { version: 0, members: [] }

/** Members that take HTTP. */
export function gatewaysOf(view: View): readonly Member[] {
  return view.members.filter(({ role }) => role !== 'worker')
}

/** Members that answer calls about projects; those that drain are included. */
export function workersOf(view: View): readonly Member[] {
  return view.members.filter(({ role }) => role !== 'gateway')
}
