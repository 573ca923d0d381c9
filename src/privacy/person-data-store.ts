/** Data of one person other than its events, read in bounded pieces. */
import type { ProjectId } from '../core/ids.ts'
import type { FoundPerson } from '../event-store/postgres/persons/find-person.ts'
import type { Db } from '../postgres/db.ts'
import { type Fragment, fragment, run } from '../postgres/fragment.ts'

/** The lists of a person, in the order in which an export gives them. */
export const PERSON_LISTS = [
  'distinct_ids',
  'cohorts',
  'feature_flag_overrides',
  'dead_letters',
  'ingestion_warnings',
] as const

export type PersonList = (typeof PERSON_LISTS)[number]

export type PersonListPage = {
  /** JSON texts. */
  readonly items: readonly string[]
  /** The key of the last item when there may be more after it. */
  readonly next: string | undefined
}

/** Rows and bytes of a page; one row is always given. */
export type PageBounds = { readonly rowsMax: number; readonly bytesMax: number }

/** JSON text of a person without its lists; undefined when there is no such person. */
export async function readPersonHead(
  db: Db,
  project: ProjectId,
  { id }: FoundPerson,
): Promise<string | undefined> {
  const [row] = await db<{ head: string }[]>`
    select json_build_object('id', p.id, 'uuid', p.uuid, 'created_at', p.created_at,
      'is_identified', p.is_identified, 'properties', p.properties)::text as head
    from persons p where p.project_id = ${project} and p.id = ${id}::text::bigint`
  return row?.head
}

/**
 * A page of one list, in the order of its keys. Sizes are summed before any JSON is made, so a
 * statement makes no more of it than the page has.
 * @param after the key that the page before has ended with.
 */
export async function readPersonList(
  db: Db,
  { project, person, list }: { project: ProjectId; person: FoundPerson; list: PersonList },
  after: string | undefined,
  { rowsMax, bytesMax }: PageBounds,
): Promise<PersonListPage> {
  const { rows, item } = sourceOf(list, project, person, after)
  const statement = fragment`
    select key, ${item}::text as item, found::float8 as found from (
      select l.*, count(*) over () as found, row_number() over walk as place,
        sum(size) over walk as bytes
      from (${rows} limit ${String(rowsMax)}::bigint) l window walk as (order by position)
    ) p
    where place = 1 or bytes <= ${String(bytesMax)}::bigint order by position`
  const read = await run<{ key: string; item: string; found: number }>(db, statement, false)
  const found = read[0]?.found ?? 0
  const isCut = read.length < found || found === rowsMax
  return { items: read.map(({ item }) => item), next: isCut ? read.at(-1)?.key : undefined }
}

/** `rows` have a `key`, a `position` by which they are ordered, a `size`, and what `item` needs. */
type Source = { readonly rows: Fragment; readonly item: Fragment }

function sourceOf(
  list: PersonList,
  project: ProjectId,
  person: FoundPerson,
  after: string | undefined,
): Source {
  const of = fragment`${String(project)}::integer`
  const id = fragment`${person.id}::bigint`
  const ids = fragment`(select distinct_id from distinct_ids where person_id = ${id})`
  const number = (position: Fragment) => beyond(position, after, fragment`::bigint`)
  const text = (position: Fragment) => beyond(position, after, fragment`::text`)
  switch (list) {
    case 'distinct_ids': {
      const key = fragment`distinct_id collate "C"`
      return {
        rows: fragment`
          select distinct_id as key, ${key} as position, octet_length(distinct_id) as size
          from distinct_ids where person_id = ${id} ${text(key)} order by position`,
        item: fragment`to_json(key)`,
      }
    }
    case 'cohorts':
      return {
        rows: fragment`
          select c.id::text as key, c.id as position, octet_length(c.name) as size, c.name
          from cohort_people m join cohorts c on c.id = m.cohort_id
          where m.person_id = ${id} ${number(fragment`c.id`)} order by position`,
        item: fragment`json_build_object('id', position, 'name', name)`,
      }
    case 'feature_flag_overrides': {
      const key = fragment`flag_key collate "C"`
      return {
        rows: fragment`
          select flag_key as key, ${key} as position,
            octet_length(flag_key) + octet_length(hash_key) as size, hash_key
          from flag_hash_key_overrides
          where project_id = ${of} and person_id = ${id} ${text(key)} order by position`,
        item: fragment`json_build_object('flag', key, 'hash_key', hash_key)`,
      }
    }
    case 'dead_letters':
      return {
        rows: fragment`
          select id::text as key, id as position, octet_length(payload) as size,
            uuid, event, distinct_id, payload, created_at
          from dead_letters
          where project_id = ${of} and distinct_id in ${ids} ${number(fragment`id`)}
          order by position`,
        item: fragment`json_build_object('uuid', uuid, 'event', event, 'distinct_id', distinct_id,
          'payload', payload, 'created_at', created_at)`,
      }
    case 'ingestion_warnings': {
      const key = fragment`(type || ' ' || subject) collate "C"`
      return {
        rows: fragment`
          select type || ' ' || subject as key, ${key} as position,
            octet_length(details::text) as size, type, details, count, last_seen_at
          from ingestion_warnings
          where project_id = ${of} and details ->> 'distinct_id' in ${ids} ${text(key)}
          order by position`,
        item: fragment`json_build_object('type', type, 'details', details, 'count', count,
          'last_seen_at', last_seen_at)`,
      }
    }
    default:
      return list satisfies never
  }
}

function beyond(position: Fragment, after: string | undefined, type: Fragment): Fragment {
  return after === undefined ? fragment`` : fragment`and ${position} > ${after}${type}`
}
