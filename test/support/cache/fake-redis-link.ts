/** A Redis connection whose answers the test gives. */
import type { RedisCommand, RedisLink, RedisOutcome } from '../../../gateway/cache/redis-link.ts'

export type FakeCall = {
  readonly commands: readonly RedisCommand[]
  /** Answers the call; without effect when repeated, or once the link has ended. */
  answer(...replies: unknown[]): Promise<void>
  refuse(reason: string): Promise<void>
  fail(reason: string): Promise<void>
}

/** A connection whose server is the test: it sees every call and chooses when to answer. */
export type FakeRedisLink = RedisLink & {
  readonly calls: readonly FakeCall[]
  readonly closed: () => boolean
  becomeReady(): Promise<void>
  end(reason: string): Promise<void>
}

/** Runs everything that is ready to run. */
export async function turns(): Promise<void> {
  for (let turn = 0; turn < 3; turn++) await new Promise((resolve) => setImmediate(resolve))
}

export function createFakeRedisLink(): FakeRedisLink {
  const calls: FakeCall[] = []
  const rejects = new Set<(reason: Error) => void>()
  let closed = false
  let onReady = () => {
    // Replaced below.
  }
  let onEnd = (_reason: Error) => {
    // Replaced below.
  }
  const ready = new Promise<void>((resolve) => {
    onReady = resolve
  })
  const ended = new Promise<Error>((resolve) => {
    onEnd = resolve
  })
  const endNow = (reason: string) => {
    onEnd(new Error(reason))
    for (const reject of rejects) reject(new Error(reason))
    rejects.clear()
  }
  return {
    ready,
    ended,
    calls,
    closed: () => closed,
    exec: (commands) =>
      new Promise<RedisOutcome>((resolve, reject) => {
        rejects.add(reject)
        const settle = async (run: () => void) => {
          if (rejects.delete(reject)) run()
          await turns()
        }
        calls.push({
          commands,
          answer: (...replies) => settle(() => resolve({ kind: 'replies', replies })),
          refuse: (reason) => settle(() => resolve({ kind: 'refused', reason })),
          fail: (reason) => settle(() => reject(new Error(reason))),
        })
      }),
    close() {
      closed = true
      endNow('closed')
    },
    async becomeReady() {
      onReady()
      await turns()
    },
    async end(reason) {
      endNow(reason)
      await turns()
    },
  }
}
