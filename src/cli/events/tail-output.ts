/** Output of `sluice tail`. */
import { printable } from '../../core/logging/printable.ts'
import type { TailedEvent } from './event-tail.ts'

export type TailOutput = {
  /** Aborts when the reader has left, as with `sluice tail | head`. */
  readonly lost: AbortSignal
  isDone(): boolean
  /** Prints events until the requested count is reached. */
  print(events: readonly TailedEvent[]): void
}

export function createTailOutput({
  json,
  count = Number.POSITIVE_INFINITY,
}: {
  readonly json?: boolean
  readonly count?: number
}): TailOutput {
  const isText = json !== true && process.stdout.isTTY
  let left = count
  const lost = new AbortController()
  process.stdout.on('error', () => lost.abort())
  return {
    lost: lost.signal,
    isDone: () => left <= 0,
    print(events: readonly TailedEvent[]) {
      const shown = events.slice(0, left)
      left -= shown.length
      const lines = shown.map((each) => `${isText ? eventLine(each) : eventJson(each)}\n`)
      if (lines.length > 0) process.stdout.write(lines.join(''))
    },
  }
}

export function eventJson({ storedAt, distinctId, properties, ...rest }: TailedEvent): string {
  const { uuid, event, timestamp } = rest
  const head = JSON.stringify({
    uuid,
    event,
    distinct_id: distinctId,
    timestamp,
    stored_at: storedAt,
  })
  // Numbers stay as they were sent: the properties are JSON already.
  return `${head.slice(0, -1)},"properties":${properties}}`
}

export function eventLine({ event, distinctId, timestamp, properties }: TailedEvent): string {
  const at = timestamp.replace('T', ' ').replace(/\..*$/, '')
  return [at, event, distinctId, properties].map(printable).join('  ')
}
