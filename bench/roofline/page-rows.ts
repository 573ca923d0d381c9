/** Page views for the roofline: rows and changes of persons as the product writes them. */
import type { IngestEvent } from '../../src/events/event.ts'
import type { BareDriver } from '../load/machine/bare-driver.ts'
import { createEventMaker, NEW_FROM, RETURNING } from '../load/workload/parsed-events.ts'
import type { Row } from './rows.ts'

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
