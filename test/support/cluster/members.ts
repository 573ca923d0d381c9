/** A fake membership, and fake callers of other members. */
import { createMemoryMemberStore } from '../../../cluster/members/memory-member-store.ts'
import type { Member } from '../../../cluster/members/view.ts'
import type { Caller, CallOptions } from '../../../src/wire/caller.ts'

export function memberOf(id: string, more: Partial<Member> = {}): Member {
  return {
    id,
    address: `${id}:8001`,
    role: 'worker',
    state: 'active',
    weight: 1,
    version: '1.0.0',
    ...more,
  }
}

/** Members whose view the test changes, and may freeze. */
export function createTestMembers(ids: readonly string[]) {
  const store = createMemoryMemberStore(ids.map((id) => memberOf(id)))
  const state = { connected: true }
  return { ...store, state, connected: () => state.connected }
}

export type RecordedCall = {
  readonly method: string
  readonly request: object
  readonly options: CallOptions
}

/** Callers by address that record calls and answer as the test says. */
export function createTestCallers(
  answer: (call: RecordedCall, address: string) => Promise<object> = async () => ({}),
) {
  const calls: (RecordedCall & { readonly address: string })[] = []
  const opened: string[] = []
  const closed: string[] = []
  const connect = (address: string): Caller => {
    opened.push(address)
    return {
      call(method, request, options) {
        calls.push({ address, method, request, options })
        return answer({ method, request, options }, address)
      },
      close: () => closed.push(address),
    }
  }
  return { connect, calls, opened, closed }
}
