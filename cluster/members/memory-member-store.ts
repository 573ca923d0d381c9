/** Members of one process, or a fixed list. Changes of other processes are not seen. */
import { AppError } from '../../src/core/code.ts'
import type { MemberStore } from './member-store.ts'
import type { Member, View } from './view.ts'

export function createMemoryMemberStore(members: readonly Member[] = []): MemberStore {
  let view: View = { version: 1, members: [...members] }
  const listeners = new Set<(view: View) => void>()

  const publish = (next: readonly Member[]) => {
    view = { version: view.version + 1, members: next }
    for (const listener of [...listeners]) listener(view)
  }

  return {
    view: () => view,
    subscribe(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    async join(member) {
      if (view.members.some(({ id }) => id === member.id)) {
        throw new AppError('already_exists', `member ${member.id} is in the view already`)
      }
      publish([...view.members, member])
    },
    async setState(id, state) {
      const known = view.members.find((member) => member.id === id)
      if (known === undefined || known.state === state) return
      publish(view.members.map((member) => (member.id === id ? { ...member, state } : member)))
    },
    async leave(id) {
      if (view.members.some((member) => member.id === id)) {
        publish(view.members.filter((member) => member.id !== id))
      }
    },
    confirmed: () => true,
    connected: () => true,
    removed: new Promise(() => {
      // No other member could remove this process.
    }),
    async close() {
      listeners.clear()
    },
  }
}
