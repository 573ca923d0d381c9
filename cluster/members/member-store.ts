/** Port to the members of the cluster. */
import type { Member, View } from './view.ts'

/**
 * Implementations: `membership.ts` (over a registry shared by all members)
 * and `memory-member-store.ts` (one process); one contract suite runs on both.
 */
export type MemberStore = {
  /** The newest view known. */
  view(): View
  /** Calls `listener` with each newer view, never with an older one. @returns the unsubscriber. */
  subscribe(listener: (view: View) => void): () => void
  /**
   * Adds this process, once.
   * @throws {AppError} `already_exists` when its id is in the view; `failed_precondition` when this
   * process has joined before, or a live member is of another protocol; `unavailable`.
   */
  join(member: Member): Promise<void>
  /**
   * Changes the state of this process. No effect when it has left.
   * @throws {AppError} `unavailable` when the change is not confirmed; `failed_precondition` when
   * `id` is another member.
   */
  setState(id: string, state: Member['state']): Promise<void>
  /** Removes this process. No effect when it is gone. */
  leave(id: string): Promise<void>
  /**
   * True while the registry has confirmed the membership so recently that no other member can have
   * declared this process dead. False before `join`. Computed from the monotonic clock at each
   * call: a process that wakes from a long pause sees false at once.
   */
  confirmed(): boolean
  /** True while changes of other members reach this process. Otherwise the view is frozen. */
  connected(): boolean
  /** Resolves when others have removed this process, which must end then. Never rejects. */
  readonly removed: Promise<RemovedReason>
  close(): Promise<void>
}

export type RemovedReason =
  /** A newer process has the same address. */
  | 'replaced'
  /** It was silent for MEMBER_DEAD_MS, or its port refused connections. */
  | 'declared_dead'
