/** Counts what a measure asks of events and their sessions. */
import { assert } from '../../../core/code.ts'
import type { Measure, NumberMeasure } from '../../../event-store/insight-events.ts'
import { isSessionNumber, sessionProperty } from '../sessions/session-properties.ts'
import type { SeenSession } from './visit-sessions.ts'

/** Number of one cell. */
export type Tally = {
  /** @param id number of the session id of the event; 0 for none. Actors follow each other. */
  add(seen: SeenSession, id: number): void
  /** Numbers of sessions need at least one event. */
  number(): number
}

export function tallyOf(measure: Measure): Tally {
  if ('ofSession' in measure) return numbersTally(measure.kind, measure.ofSession)
  let count = 0
  const number = () => count
  switch (measure.kind) {
    case 'events':
      return {
        number,
        add: () => {
          count += 1
        },
      }
    case 'actors': {
      let last = 0
      return {
        number,
        add: ({ nth }) => {
          if (nth === last) return
          last = nth
          count += 1
        },
      }
    }
    default: {
      assert(measure.kind === 'sessions', 'other measures are refused')
      const ids = new Set<number>()
      return {
        number: () => ids.size,
        add: (_, id) => {
          if (id !== 0) ids.add(id)
        },
      }
    }
  }
}

function numbersTally(kind: NumberMeasure, property: string): Tally {
  assert(isSessionNumber(property), 'other properties are refused')
  const read = sessionProperty(property)
  const numbers: number[] = []
  return {
    add: ({ session, texts }) => void numbers.push(Number(read.valueOf(session, texts))),
    number: () => measured(kind, numbers),
  }
}

const PERCENTILES = { median: 0.5, p75: 0.75, p90: 0.9, p95: 0.95, p99: 0.99 }

function measured(kind: NumberMeasure, numbers: readonly number[]): number {
  const sum = () => numbers.reduce((all, number) => all + number, 0)
  switch (kind) {
    case 'sum':
      return sum()
    case 'avg':
      return sum() / numbers.length
    case 'min':
      return numbers.reduce((least, number) => Math.min(least, number), Infinity)
    case 'max':
      return numbers.reduce((most, number) => Math.max(most, number), -Infinity)
    default:
      return percentile(PERCENTILES[kind], numbers)
  }
}

/** Between two numbers where it lies between them, as stores do. */
function percentile(part: number, numbers: readonly number[]): number {
  const sorted = numbers.toSorted((a, b) => a - b)
  const place = part * (sorted.length - 1)
  const low = sorted[Math.floor(place)] ?? 0
  const high = sorted[Math.ceil(place)] ?? low
  return low + (high - low) * (place - Math.floor(place))
}
