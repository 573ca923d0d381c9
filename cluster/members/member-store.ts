import type { Member, View } from './view.ts'

/**
 * Who is in the cluster. Implementations: `membership.ts` (over a registry shared by all members)
 * and `memory-member-store.ts` (one process); one contract suite runs on both.
 */
export type MemberStore = {
  /** The newest view known. */
  view(): View
  /** Called with each newer view, never with an older one. The answer unsubscribes. */
  subscribe(listener: (view: View) => void): () => void
  /** Adds this process; fails when its id is in the view already. */
  join(member: Member): Promise<void>
  /** Changes the state of a member that has joined; no effect on one that has left. */
  setState(id: string, state: Member['state']): Promise<void>
  /** Removes a member; no effect when it is gone. */
  leave(id: string): Promise<void>
  /**
   * True while the registry confirms that this process is a member in good standing, so that nobody
   * can have declared it dead. False also from before the first `join`. Judged by the monotonic
   * clock at the moment of the call: a process that wakes from a long pause sees false at once.
   */
  confirmed(): boolean
  /** True while changes of other members reach this process: else the view is frozen. */
  connected(): boolean
  /** Resolves when others have removed this process; it must end itself. Never rejects. */
  readonly removed: Promise<RemovedReason>
  close(): Promise<void>
}

export type RemovedReason =
  /** A newer process has the same address. */
  | 'replaced'
  /** It was silent for too long. */
  | 'declared_dead'
