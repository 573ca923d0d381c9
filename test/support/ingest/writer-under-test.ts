/** A writer on a store whose answers the test gives. */
import type { Clock } from '../../../src/core/clock.ts'
import { projectId } from '../../../src/core/ids.ts'
import { silentLog as log } from '../../../src/core/log.ts'
import { type IngestEvent, NO_PERSON_CHANGE } from '../../../src/events/event.ts'
import type { EventBatch, PersonsChanged } from '../../../src/events/event-batch.ts'
import type { FlushCounts } from '../../../src/ingest/flush-batches.ts'
import {
  type FlushResult,
  type FlushRow,
  type IngestStore,
  StoreError,
} from '../../../src/ingest/store-port.ts'
import { createWriter, type WriterOptions } from '../../../src/ingest/writer.ts'
import { createFakeClock, type FakeClock } from '../fake-clock.ts'

export type Call = {
  readonly slot: number
  readonly names: readonly string[]
  commit(result?: Partial<FlushResult>): void
  fail(error: unknown): void
}

const OPTIONS: WriterOptions = {
  joinEventsMin: 1,
  slots: 2,
  bytesMax: 1_000,
  projectShareMax: 0.25,
  flushEventsMax: 10,
  flushBytesMax: 500,
}
export const AWAY = new StoreError('unreachable', 'ECONNREFUSED', 'nobody there')
export const CONFLICT = new StoreError('conflict', '40P01', 'deadlock')
export const BAD_ROW = new StoreError('data', '22P02', 'not json')

/** Lets the microtasks and the turn of the event loop that a flush waits for pass. */
export async function settle(): Promise<void> {
  for (let turn = 0; turn < 3; turn++) await new Promise((resolve) => setImmediate(resolve))
}

export function setUp(
  options: Partial<WriterOptions> = {},
  clockOf: (clock: FakeClock) => Clock = (clock) => clock,
) {
  const clock = createFakeClock()
  const calls: Call[] = []
  const deadLetters: { name: string; reason: StoreError }[] = []
  const counts: FlushCounts[] = []
  const told: PersonsChanged[] = []
  let pings = 0
  let unknown = 0
  const state = {
    ping: (): Promise<void> => Promise.resolve(),
    tell: (): Promise<void> => Promise.resolve(),
    reach: (): Promise<void> => Promise.resolve(),
  }
  const store: IngestStore = {
    flush: (slot, rows) =>
      new Promise((resolve, reject) => {
        calls.push({
          slot,
          names: rows.map((row) => row.event.event),
          commit: (result) =>
            resolve({ duplicates: [], missingProjects: new Set(), changed: [], ...result }),
          fail: reject,
        })
      }),
    deadLetter: async (_slot: number, row: FlushRow, reason: StoreError) => {
      deadLetters.push({ name: row.event.event, reason })
    },
    ping: () => {
      pings += 1
      return state.ping()
    },
  }
  const attempts: string[] = []
  const writer = createWriter(
    {
      store,
      clock: clockOf(clock),
      log,
      random: () => 0.5,
      onPersonsChanged: (changes) => {
        told.push(...changes)
        return state.tell()
      },
      onPersonsUnknown: () => {
        unknown += 1
      },
      onCommitted: (each) => counts.push(each),
      onAttempt: (outcome, ms) => attempts.push(`${outcome} after ${ms} ms`),
      failpoints: { reach: () => state.reach() },
    },
    { ...OPTIONS, ...options },
  )
  const call = (index: number): Call => {
    const found = calls[index]
    if (found === undefined) throw new Error(`no flush ${index}`)
    return found
  }
  return {
    attempts,
    clock,
    calls,
    call,
    counts,
    deadLetters,
    told,
    state,
    writer,
    pings: () => pings,
    unknown: () => unknown,
  }
}

function event(name: string, changes: Partial<IngestEvent['person']> = {}): IngestEvent {
  return {
    uuid: '018f2d5c-0000-7000-8000-000000000000',
    event: name,
    distinctId: 'd',
    timestamp: '2026-01-01T00:00:00.000000Z',
    properties: '{}',
    elementsChain: '',
    person: { ...NO_PERSON_CHANGE, ...changes },
    groups: [],
    groupChange: undefined,
  }
}

export function batch(project: number, names: readonly string[], bytes = 10, set = ''): EventBatch {
  return { projectId: projectId(project), events: names.map((n) => event(n, { set })), bytes }
}

export const SET = '{"a":1}'
export const STORED = { kind: 'stored', stored: 1, duplicates: 0, deadLetters: 0 } as const
