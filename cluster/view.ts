/** A process of the cluster. A restart is a new member: ids are never used twice. */
export type Member = {
  readonly id: string
  /** host:port of its gRPC server. */
  readonly address: string
  readonly role: 'worker' | 'standalone'
  readonly state: 'active' | 'draining' | 'drained'
  /** Share of the shards relative to the others; 1 is normal. */
  readonly weight: number
  /** Version of the binary. */
  readonly version: string
}

/** Immutable snapshot of the members. Older versions than the one held are ignored. */
export type View = { readonly version: number; readonly members: readonly Member[] }

export const EMPTY_VIEW: View = { version: 0, members: [] }
