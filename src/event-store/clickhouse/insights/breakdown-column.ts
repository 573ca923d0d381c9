/** The values of breakdowns as ClickHouse has them. */
import { assert, InvariantError } from '../../../core/code.ts'
import type { ProjectId } from '../../../core/ids.ts'
import { commas, type Fragment, fragment, wholeNumbers } from '../../../postgres/fragment.ts'
import { type BreakdownSource, NO_VALUE } from '../../insight-events.ts'
import { valueIn } from '../../postgres/insights/insight-fragments.ts'
import { membershipRows } from '../../postgres/renderer/cohort-sql.ts'
import { type AskPostgres, keyOf, textsOf, typeOf } from '../reads/groups-passing.ts'
import { memberText } from '../renderer/json-member.ts'
import { fewEnough, personSet } from './resolve-in-postgres.ts'

export type BreakdownColumn = {
  /** A text of up to 400 characters, over `e` and what is joined; null for none. */
  readonly text: Fragment
  /** Joins that follow `from events e`. */
  readonly joins: Fragment
  /** Maps such a text to its value, and back: undefined when no event has the value. */
  readonly valueOf: (text: string) => string
  readonly textOf: (value: string) => string | undefined
}

const LENGTH_MAX = 400
const NONE = fragment`CAST(null, 'Nullable(String)')`
const asIs = (text: string) => text
const SAME = { joins: fragment``, valueOf: asIs, textOf: asIs }

/**
 * Reads values of persons and groups in Postgres; the statement has numbers in their place, in the
 * order of the values by code point.
 * @throws {ColumnError} `not_here` when there are more groups than a statement can name.
 */
export async function askBreakdown(
  ask: AskPostgres,
  project: ProjectId,
  source: BreakdownSource,
): Promise<BreakdownColumn> {
  const id = fragment`${String(project)}::integer`
  switch (source.kind) {
    case 'event_name':
      return { ...SAME, text: cut(fragment`toString(e.event)`) }
    case 'event':
      return { ...SAME, text: cut(memberText(fragment`e.properties`, source.property)) }
    case 'session':
      throw new InvariantError('stores know no properties of sessions')
    case 'cohorts':
      return await byCohorts(ask, project, source)
    case 'person': {
      const persons = fragment`select p.id::text as key, p.properties ->> ${source.property} as value
        from persons p where p.project_id = ${id}`
      const list = fragment`string_agg(v.key, ',')`
      return byPersons(await valuesOf<string>(ask, persons, list))
    }
    case 'group': {
      const type = typeOf(project, source.index)
      const [own] = await ask<{ type: string | null }>(fragment`select ${type} as type`)
      if (own === undefined || own.type === null) return { ...SAME, text: NONE }
      const groups = fragment`select p.group_key as key, p.properties ->> ${source.property} as value
        from groups p
        where p.project_id = ${id} and p.type_index = ${String(source.index)}::smallint`
      const list = fragment`array_agg(v.key)`
      const rows = await valuesOf<readonly string[]>(ask, groups, list)
      return byGroups(rows, fragment`ifNull(${keyOf(own.type)}, '')`)
    }
    default:
      return source satisfies never
  }
}

function cut(text: Fragment): Fragment {
  return fragment`nullIf(nullIf(leftUTF8(${text}, ${wholeNumbers([LENGTH_MAX])}), ''), ${NO_VALUE})`
}

type ValueKeys<Keys> = { readonly value: string; readonly keys: Keys }

/** Keys that have each value, in order of code points. @param all rows of `key` and `value`. */
async function valuesOf<Keys>(
  ask: AskPostgres,
  all: Fragment,
  list: Fragment,
): Promise<readonly ValueKeys<Keys>[]> {
  return await ask<ValueKeys<Keys>>(fragment`
    select v.value, ${list} as keys from (
      select r.key, ${valueIn(fragment`r.value`)} as value
      from (${all}) r
    ) v
    where v.value is not null group by v.value order by v.value collate "C"`)
}

/** Numbers of values have the same number of digits, so that their texts sort as they do. */
const FIRST_NUMBER = 1_000_000_000

/** Joined, because a statement has the text of a breakdown several times. */
function byPersons(rows: readonly ValueKeys<string>[]): BreakdownColumn {
  if (rows.length === 0) return { ...SAME, text: NONE }
  const lists = fewEnough(rows.map(({ keys }) => keys).join(';'))
  const joins = fragment`left any join (
    select toInt64(arrayJoin(splitByChar(',', tupleElement(list, 1)))) as id,
      tupleElement(list, 2) + ${wholeNumbers([FIRST_NUMBER - 1])} as number
    from (
      select arrayJoin(arrayZip(lists, arrayEnumerate(lists))) as list
      from (select splitByChar(';', ${lists}) as lists)
    )
  ) v on v.id = p.person_id`
  return { ...valuesByNumber(rows, fragment`v.number`), joins }
}

function byGroups(rows: readonly ValueKeys<readonly string[]>[], key: Fragment): BreakdownColumn {
  if (rows.length === 0) return { ...SAME, text: NONE }
  const keys = textsOf(JSON.stringify(rows.flatMap((row) => row.keys)))
  const numbers = rows.flatMap((row, place) => row.keys.map(() => FIRST_NUMBER + place))
  const number = fragment`transform(${key}, ${keys}, [${wholeNumbers(numbers)}], 0)`
  return { ...valuesByNumber(rows, number), joins: fragment`` }
}

/** @param number of the value, from `FIRST_NUMBER` in their order; 0 for none. */
function valuesByNumber(
  rows: readonly { readonly value: string }[],
  number: Fragment,
): Omit<BreakdownColumn, 'joins'> {
  const places = new Map(rows.map(({ value }, place) => [value, String(FIRST_NUMBER + place)]))
  return {
    text: fragment`nullIf(toString(${number}), '0')`,
    valueOf: (text) => rows[Number(text) - FIRST_NUMBER]?.value ?? '',
    textOf: (value) => places.get(value),
  }
}

/** Lists an event once for each cohort of its actor. */
async function byCohorts(
  ask: AskPostgres,
  project: ProjectId,
  { cohorts }: Extract<BreakdownSource, { kind: 'cohorts' }>,
): Promise<BreakdownColumn> {
  const rows = await ask<{ value: string; ids: string }>(fragment`
    select m.value, string_agg(m.person_id::text, ',') as ids
    from (${membershipRows(project, cohorts)}) m group by m.value`)
  const own = rows.map(
    ({ value, ids }) => fragment`if(p.person_id in ${personSet(ids)}, ${value}, '')`,
  )
  assert(cohorts.length > 0, 'a breakdown has cohorts')
  const list = own.length === 0 ? fragment`CAST([], 'Array(String)')` : fragment`[${commas(own)}]`
  const joins = fragment`array join arrayFilter(x -> x != '', ${list}) as b`
  return { ...SAME, text: fragment`toNullable(b)`, joins }
}
