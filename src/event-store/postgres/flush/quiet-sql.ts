/**
 * The part of the flush's statements that reads persons and changes none. If persons lack something
 * that their events set, the statement writes nothing, and a second one changes them. No row is
 * locked: a change that commits after the look-up counts as later.
 */
import type { ProjectId } from '../../../core/ids.ts'
import type { FlushRow } from '../../../ingest/store-port.ts'
import { intArray, toColumns } from '../../../postgres/columns.ts'
import type { PersonForm } from './person-form.ts'

export const QUIET_PARAMETERS = 6

/**
 * Statement part before the events. Lists of names are few, and sent once. `first`: the number of
 * the first parameter.
 */
export const lookAtPersons = (first: number) => `
  , lists as materialized (
    select l.list::int as list, array(select jsonb_array_elements_text(l.names::jsonb)) as names
    from unnest(string_to_array($${first}, $${first + 5})) with ordinality as l (names, list)
  ), judged as materialized (
    select a.place, d.person_id, (
        (a.list = 0 or p.properties ?& (select names from lists l where l.list = a.list))
        and (coalesce(a.set, '') = '' or p.properties @> a.set::jsonb)) is true as is_quiet
    from unnest(
      $${first + 1}::int[], string_to_array($${first + 2}, $${first + 5}), $${first + 3}::int[],
      string_to_array($${first + 4}, $${first + 5})
    ) with ordinality as a (project_id, distinct_id, list, set, place)
    left join distinct_ids d on d.project_id = a.project_id and d.distinct_id = a.distinct_id
    left join persons p on p.id = d.person_id
  ), quiet as materialized (
    select not exists (select from judged where not is_quiet) as yes
  )`

export const QUIET_GATE = ' and (select yes from quiet)'

export const QUIET_ANSWER = `,
    (select string_agg((place - 1)::text, ',') from judged where not is_quiet) as loud`

/** Names and values that the person of a distinct id must have. */
export type Judged = {
  readonly projectId: ProjectId
  readonly distinctId: string
  readonly expected: PersonForm
}

/**
 * Each person's form once, as long as its forms do not alternate. Rows that set nothing are
 * skipped.
 * @param expected of each row; undefined for one that is not judged.
 */
export function judgedOf(
  rows: readonly FlushRow[],
  expected: readonly (PersonForm | undefined)[],
): readonly Judged[] {
  const judged: Judged[] = []
  /**
   * Latest form of each person. Keys with names would be long, and cost more than all else here.
   */
  const forms = new Map<string, PersonForm>()
  for (const [place, { projectId, event }] of rows.entries()) {
    const form = expected[place]
    if (form === undefined || (form.names === '' && form.set === '')) continue
    const { distinctId } = event
    const key = `${projectId}:${distinctId}`
    const before = forms.get(key)
    if (before?.names === form.names && before.set === form.set) continue
    forms.set(key, form)
    judged.push({ projectId, distinctId, expected: form })
  }
  return judged
}

/** Parameters of `lookAtPersons`. */
export function quietParameters(judged: readonly Judged[]): string[] {
  const lists = new Map<string, number>()
  const numbers = judged.map(({ expected: { names } }) => {
    if (names === '') return 0
    const number = lists.get(names) ?? lists.size + 1
    lists.set(names, number)
    return number
  })
  // One separator for columns of different lengths: JSON text holds no control character.
  const { texts, separator } = toColumns([
    judged.map(({ distinctId }) => distinctId),
    judged.map(({ expected: { set } }) => set),
  ])
  const [distinctIds = '', sets = ''] = texts
  const owners = intArray(judged.map(({ projectId }) => projectId))
  const names = [...lists.keys()].join(separator)
  return [names, owners, distinctIds, intArray(numbers), sets, separator]
}
