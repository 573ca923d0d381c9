import { AppError } from '../core/code.ts'

/** One turn at a time, in order of arrival; bounded. */
export type Mailbox = {
  /**
   * Runs `turn` after all earlier ones have ended. A failing turn fails its caller only.
   * @throws {AppError} `resource_exhausted` when the mailbox is full, `unavailable` when closed.
   */
  run<T>(turn: () => Promise<T>): Promise<T>
  /** Turns waiting and running. */
  depth(): number
  /** Refuses new turns and resolves when the accepted ones have ended. */
  close(): Promise<void>
}

export function createMailbox(options: { turnsMax: number }): Mailbox {
  let tail: Promise<void> = Promise.resolve()
  let depth = 0
  let closed = false
  return {
    run(turn) {
      if (closed) return Promise.reject(new AppError('unavailable', 'mailbox is closed'))
      if (depth >= options.turnsMax) {
        return Promise.reject(new AppError('resource_exhausted', 'mailbox is full'))
      }
      depth++
      const result = tail.then(turn)
      tail = result.then(
        () => {
          depth--
        },
        () => {
          depth-- // The caller of this turn has the failure; the next turn starts clean.
        },
      )
      return result
    },
    depth: () => depth,
    close() {
      closed = true
      return tail
    },
  }
}
