import type { Member, View } from './view.ts'

/**
 * Who is in the cluster. Implementations: `memory-member-store.ts` (one process, or a list given by
 * the operator); one contract suite runs on all of them.
 */
export type MemberStore = {
  /** The newest view known. */
  view(): View
  /** Called with each newer view, never with an older one. The answer unsubscribes. */
  subscribe(listener: (view: View) => void): () => void
  /** Adds a member; fails when its id is in the view already. */
  join(member: Member): Promise<void>
  /** Changes the state of a member that has joined; no effect on one that has left. */
  setState(id: string, state: Member['state']): Promise<void>
  /** Removes a member; no effect when it is gone. */
  leave(id: string): Promise<void>
  close(): Promise<void>
}
