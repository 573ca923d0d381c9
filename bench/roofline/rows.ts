/** Rows for the roofline: the same columns and sizes that the writer stores. */
import { createPrng } from '../load/workload/prng.ts'
import { createUuidWriter } from '../load/workload/uuid-writer.ts'

/** One row of `events` as the writer passes it: every column as text. */
export type Row = {
  readonly projectId: number
  readonly day: string
  readonly uuid: string
  readonly timestamp: string
  readonly event: string
  readonly distinctId: string
  /** JSON text of an object. */
  readonly properties: string
  /** JSON texts of objects: properties that a page view writes to its person. */
  readonly set?: string
  readonly ifAbsent?: string
  /** A page view whose person is to be made. */
  readonly isNew?: boolean
}

const PROPERTY_SETS = 512
const DISTINCT_IDS = 100_000
const NAMES = ['$pageview', '$autocapture', 'sign up', 'order paid'] as const

/** Makes rows as `sluice bench capture` sends them: ten properties, uuids in time order. */
export function createRowMaker(seed: number, projects: number): (count: number) => Row[] {
  const prng = createPrng(seed)
  const writeUuid = createUuidWriter(7)
  const uuid = Buffer.alloc(36)
  const sets = Array.from({ length: PROPERTY_SETS }, () => {
    const properties: Record<string, unknown> = {}
    for (let index = 0; index < 10; index++) {
      const text = Array.from({ length: 16 }, () => String.fromCharCode(97 + prng.below(26))).join(
        '',
      )
      properties[`property_${index}`] = index % 4 === 3 ? prng.below(1_000_000) : text
    }
    return JSON.stringify(properties)
  })
  return (count) => {
    const timestamp = new Date().toISOString()
    return Array.from({ length: count }, () => {
      writeUuid(uuid, 0)
      return {
        projectId: 1 + prng.below(projects),
        day: timestamp.slice(0, 10),
        uuid: uuid.toString('latin1'),
        timestamp,
        event: NAMES[prng.below(NAMES.length)] ?? '',
        distinctId: `user-${String(prng.below(DISTINCT_IDS)).padStart(10, '0')}`,
        properties: sets[prng.below(PROPERTY_SETS)] ?? '{}',
      }
    })
  }
}
