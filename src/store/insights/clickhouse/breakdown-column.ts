/** The values of breakdowns as ClickHouse has them. */
import { assert } from '../../../core/code.ts'
import type { ProjectId } from '../../../core/ids.ts'
import { membershipRows } from '../../cohorts/cohort-sql.ts'
import { memberText } from '../../events-clickhouse/render/json-member.ts'
import { commas, type Fragment, fragment, wholeNumbers } from '../../pool/fragment.ts'
import type { BreakdownSource } from '../insight-events.ts'
import { type AskPostgres, keyOf, textsOf, typeOf } from './elsewhere.ts'

export type BreakdownColumn = {
  /** A text of up to 400 characters, over `e` and what is joined; null for none. */
  readonly text: Fragment
  /** What stands behind `from events e`. */
  readonly joins: Fragment
  /** The value that such a text stands for, and back: undefined when no event has it. */
  readonly valueOf: (text: string) => string
  readonly textOf: (value: string) => string | undefined
}

const LENGTH_MAX = 400
const NONE = fragment`CAST(null, 'Nullable(String)')`
const asIs = (text: string) => text
const SAME = { joins: fragment``, valueOf: asIs, textOf: asIs }

/**
 * Values of persons and groups are read in Postgres; the statement knows them by numbers, which are
 * in their order by code point.
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
    case 'cohorts':
      return await byCohorts(ask, project, source)
    case 'person': {
      const persons = fragment`select p.id::text as key, p.properties ->> ${source.property} as value
        from persons p where p.project_id = ${id}`
      const rows = await valuesOf(ask, persons)
      const ids = fragment`[${wholeNumbers(rows.flatMap(({ keys }) => keys))}]`
      return byNumber(rows, fragment`e.person_id`, ids)
    }
    case 'group': {
      const type = typeOf(project, source.index)
      const [own] = await ask<{ type: string | null }>(fragment`select ${type} as type`)
      if (own === undefined || own.type === null) return { ...SAME, text: NONE }
      const groups = fragment`select p.group_key as key, p.properties ->> ${source.property} as value
        from groups p
        where p.project_id = ${id} and p.type_index = ${String(source.index)}::smallint`
      const rows = await valuesOf(ask, groups)
      const keys = textsOf(JSON.stringify(rows.flatMap((row) => row.keys)))
      return byNumber(rows, fragment`ifNull(${keyOf(own.type)}, '')`, keys)
    }
    default:
      return source satisfies never
  }
}

function cut(text: Fragment): Fragment {
  return fragment`nullIf(leftUTF8(${text}, ${wholeNumbers([LENGTH_MAX])}), '')`
}

type ValueKeys = { readonly value: string; readonly keys: readonly string[] }

/** Who has each value, by code point. @param all rows of `key` and `value`. */
async function valuesOf(ask: AskPostgres, all: Fragment): Promise<readonly ValueKeys[]> {
  return await ask<ValueKeys>(fragment`
    select v.value, array_agg(v.key) as keys from (
      select r.key, nullif(left(r.value, ${String(LENGTH_MAX)}::integer), '') as value
      from (${all}) r
    ) v
    where v.value is not null group by v.value order by v.value collate "C"`)
}

/** Numbers of values have as many digits each, so that their texts are in their order. */
const FIRST_NUMBER = 1_000_000_000

/** @param keys the lists of keys of all rows, one after another. */
function byNumber(rows: readonly ValueKeys[], key: Fragment, keys: Fragment): BreakdownColumn {
  if (rows.length === 0) return { ...SAME, text: NONE }
  const numbers = rows.flatMap((row, place) => row.keys.map(() => FIRST_NUMBER + place))
  const places = new Map(rows.map(({ value }, place) => [value, String(FIRST_NUMBER + place)]))
  const number = fragment`transform(${key}, ${keys}, [${wholeNumbers(numbers)}], 0)`
  return {
    text: fragment`nullIf(toString(${number}), '0')`,
    joins: fragment``,
    valueOf: (text) => rows[Number(text) - FIRST_NUMBER]?.value ?? '',
    textOf: (value) => places.get(value),
  }
}

/** An event is there once for each cohort that its actor is in. */
async function byCohorts(
  ask: AskPostgres,
  project: ProjectId,
  { cohorts }: Extract<BreakdownSource, { kind: 'cohorts' }>,
): Promise<BreakdownColumn> {
  const rows = await ask<{ value: string; ids: string }>(fragment`
    select m.value, string_agg(m.person_id::text, ',') as ids
    from (${membershipRows(project, cohorts)}) m group by m.value`)
  const own = rows.map(
    ({ value, ids }) =>
      fragment`if(e.person_id in (${wholeNumbers(ids.split(','))}), ${value}, '')`,
  )
  assert(cohorts.length > 0, 'a breakdown has cohorts')
  const list = own.length === 0 ? fragment`CAST([], 'Array(String)')` : fragment`[${commas(own)}]`
  const joins = fragment`array join arrayFilter(x -> x != '', ${list}) as b`
  return { ...SAME, text: fragment`toNullable(b)`, joins }
}
