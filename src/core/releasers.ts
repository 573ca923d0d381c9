import type { Log } from './log.ts'

export type Release = () => Promise<void> | void

/** Releases resources, last in, first out. `release` may be called twice and runs once. */
export type Releasers = { push(name: string, release: Release): void; release(): Promise<void> }

/** A failing releaser is logged, and the others still run. */
export function createReleasers(log: Log): Releasers {
  const stack: { name: string; release: Release }[] = []
  let releasing: Promise<void> | undefined
  const run = async () => {
    for (let entry = stack.pop(); entry !== undefined; entry = stack.pop()) {
      try {
        await entry.release()
      } catch (error) {
        log.warn('release failed', { resource: entry.name, error })
      }
    }
  }
  return {
    push: (name, release) => {
      stack.push({ name, release })
    },
    release: () => {
      releasing ??= run()
      return releasing
    },
  }
}
