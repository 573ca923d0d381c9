/** Page views for the roofline: rows and changes of persons as the product writes them. */
import type { IngestEvent } from '../../src/events/event.ts'
import type { BareDriver } from '../load/machine/bare-driver.ts'
import { createEventMaker, NEW_FROM, RETURNING } from '../load/workload/parsed-events.ts'
import { createPrng } from '../load/workload/prng.ts'
import { createUuidWriter } from '../load/workload/uuid-writer.ts'

const PROPERTY_SETS = 512
const DISTINCT_IDS = 100_000
const NAMES = ['$pageview', '$autocapture', 'sign up', 'order paid'] as const

/** Number of different property sets that persons have before the measurement. */
const SAMPLES = 64

/** Makes rows as `sluice bench capture` sends them, with what each changes of its person. */
export function createPageRowMaker(seed: number): (count: number) => Row[] {
  const make = createEventMaker({ shape: 'pages', seed })
  const born = new Set<string>()
  return (count) =>
    make(count).map((event) => {
      const { distinctId } = event
      const isNew = Number(distinctId.slice('user-'.length)) >= NEW_FROM && !born.has(distinctId)
      if (isNew) born.add(distinctId)
      const { set, setOnce, volatile } = event.person
      return { ...rowOf(event), set: merged(set), ifAbsent: merged(volatile, setOnce), isNew }
    })
}

/** JSON text of an object with all members of these; the texts may be empty. */
function merged(...texts: readonly string[]): string {
  const objects = texts.filter((text) => text !== '').map((text): unknown => JSON.parse(text))
  return JSON.stringify(Object.assign({}, ...objects))
}

function rowOf({ timestamp, uuid, event, distinctId, properties }: IngestEvent): Row {
  const day = timestamp.slice(0, 10)
  return { projectId: 1, day, uuid, timestamp, event, distinctId, properties }
}

/** Makes the persons that page views return to, each with the properties of one page view. */
export async function preparePersons(sql: BareDriver): Promise<void> {
  const seen = createEventMaker({ shape: 'pages', seed: 3, prime: true, batch: SAMPLES })(SAMPLES)
  const properties = seen.map(({ person }) => merged(person.volatile, person.setOnce, person.set))
  await sql`truncate persons, distinct_ids`
  await sql`
    insert into persons (id, project_id, uuid, properties, created_at)
    overriding system value
    select number + 1, 1, gen_random_uuid(), (${properties}::jsonb[])[1 + number % ${SAMPLES}::int],
      now()
    from generate_series(0, ${RETURNING - 1}::int) as number`
  await sql`
    insert into distinct_ids (project_id, distinct_id, person_id)
    select 1, 'user-' || lpad(number::text, 10, '0'), number + 1
    from generate_series(0, ${RETURNING - 1}::int) as number`
  await sql`select setval(pg_get_serial_sequence('persons', 'id'), ${RETURNING}::int)`
}

/** Changes of a batch to each of its persons; the last change of a person wins. */
export type PersonColumns = Record<
  'ids' | 'ifAbsent' | 'set' | 'bornIds' | 'bornProperties',
  readonly string[]
>

export function personColumns(rows: readonly Row[]): PersonColumns {
  const last = new Map(rows.map((row) => [row.distinctId, row]))
  const born = new Set(rows.filter((row) => row.isNew === true).map((row) => row.distinctId))
  const known = [...last.values()].filter((row) => !born.has(row.distinctId))
  const fresh = [...last.values()].filter((row) => born.has(row.distinctId))
  return {
    ids: known.map((row) => row.distinctId),
    ifAbsent: known.map((row) => row.ifAbsent ?? '{}'),
    set: known.map((row) => row.set ?? '{}'),
    bornIds: fresh.map((row) => row.distinctId),
    bornProperties: fresh.map((row) => merged(row.ifAbsent ?? '', row.set ?? '')),
  }
}

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
