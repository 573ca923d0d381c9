import { Command } from 'commander'
import { systemClock as clock } from '../src/core/clock.ts'
import { projectId } from '../src/core/ids.ts'
import { silentLog as log } from '../src/core/log.ts'
import { createReleasers } from '../src/core/releasers.ts'
import type { PostgresIngestStore } from '../src/event-store/postgres/flush/ingest-store.ts'
import { NO_PERSON_CHANGE } from '../src/events/event.ts'
import type { FlushRow } from '../src/ingest/store-port.ts'
import { readEnvironment } from './load/machine/environment.ts'
import { openOwnStore } from './load/machine/own-store.ts'
import { wholeNumber } from './load/plan/option-parsers.ts'
import { spreadOf } from './load/report/stats.ts'
import { createUuidWriter } from './load/workload/uuid-writer.ts'
import { createRowMaker } from './roofline/rows.ts'

const FLUSH_ROWS = 512
const FLUSHES_A_RUN = 60
const EVENING = '2026-02-28T23:30:00.000000Z'
const NIGHT = '2026-03-01T00:30:00.000000Z'
const NOON = '2026-03-01T12:00:00.000000Z'

type Batch = (timestamp: string) => FlushRow[]

await new Command('near-midnight')
  .option('--events <count>', 'of the evening before', wholeNumber(1, 100_000_000), 1_000_000)
  .option('--runs <count>', 'of each time of day', wholeNumber(1, 100), 9)
  .action(run)
  .parseAsync()

async function run({ events, runs }: { events: number; runs: number }): Promise<void> {
  const releasers = createReleasers(log)
  const interrupt = () => {
    void releasers.release().then(() => process.exit(1))
  }
  process.once('SIGINT', interrupt)
  try {
    process.stdout.write(`${JSON.stringify({ ...readEnvironment(), events, runs })}\n`)
    const { store } = await openOwnStore(releasers)
    for (const version of [7, 4] as const) {
      const batch = createBatches(version)
      for (let stored = 0; stored < events; stored += FLUSH_ROWS)
        await store.flush(0, batch(EVENING))
      const times: Record<string, number[]> = { [NOON]: [], [NIGHT]: [] }
      for (let round = 0; round < runs; round++) {
        for (const [at, micros] of Object.entries(times)) {
          micros.push(await microsAnEvent(store, () => batch(at)))
        }
      }
      for (const [at, micros] of Object.entries(times)) {
        const { median, min, max } = spreadOf(micros)
        const figures = [median, min, max].map((each) => each.toFixed(1).padStart(8)).join('')
        process.stdout.write(`uuid ${version} ${at.slice(11, 16)}${figures} us an event\n`)
      }
    }
  } finally {
    await releasers.release()
    process.off('SIGINT', interrupt)
  }
}

function createBatches(version: 4 | 7): Batch {
  const rows = createRowMaker(version, 1)
  const writeUuid = createUuidWriter(version)
  const uuid = Buffer.alloc(36)
  const rest = { elementsChain: '', groups: [], groupChange: undefined, person: NO_PERSON_CHANGE }
  return (timestamp) =>
    rows(FLUSH_ROWS).map(({ event, distinctId, properties }) => {
      writeUuid(uuid, 0)
      const id = uuid.toString('latin1')
      const named = { uuid: id, event, distinctId, properties, timestamp }
      return { projectId: projectId(1), event: { ...rest, ...named }, batch: 0 }
    })
}

async function microsAnEvent(store: PostgresIngestStore, batch: () => FlushRow[]): Promise<number> {
  const batches = Array.from({ length: FLUSHES_A_RUN }, batch)
  const startedAt = clock.monotonic()
  for (const rows of batches) await store.flush(0, rows)
  return ((clock.monotonic() - startedAt) * 1_000) / (FLUSHES_A_RUN * FLUSH_ROWS)
}
