import t from 'tap'
import { projectId } from '../../../../src/core/ids.ts'
import { ok } from '../../../../src/core/result.ts'
import { zoneOf } from '../../../../src/core/time/zone.ts'
import { filterSql } from '../../../../src/event-store/postgres/renderer/filter-sql.ts'
import type { Members } from '../../../../src/events/trees/members.ts'
import { render } from '../../../../src/postgres/fragment.ts'
import { parseFilters } from '../../../../src/query/list/filters.ts'
import { cohortMembers } from '../../../../src/store/cohorts/cohort-members.ts'
import { cohort } from '../../flags/support.ts'

const large: Members = {
  kind: 'some',
  parts: Array.from({ length: 500 }, (_, number) => ({
    ...{ kind: 'property', names: ['email'], negated: false },
    condition: {
      whenMissing: false,
      value: { kind: 'regex', pattern: `^${number}`, negated: false, lengthMax: 100 },
    },
  })),
}

const cohorts = Object.assign(() => ok(large), { nameOf: String })

function statementOf(filters: object): { text: string; values: readonly string[] } {
  const moment = { nowMs: 0, zone: zoneOf('UTC') }
  const parsed = parseFilters(JSON.stringify(filters), moment, undefined, cohorts)
  if (!parsed.ok) throw new Error(parsed.error.detail)
  return render(filterSql(parsed.value, projectId(1)))
}

const named = { type: 'cohort', key: 'id', value: 1 }

t.test('a cohort named a hundred times is written once in a statement', async (t) => {
  const once = statementOf([named])
  const equal = statementOf(Array.from({ length: 100 }, () => named))
  t.equal(equal.text, once.text, 'equal filters of a list are one')
  const groups = Array.from({ length: 45 }, (_, number) => {
    const values = [{ ...named, operator: number % 2 === 0 ? 'in' : 'not_in' }]
    return { type: 'AND', values: [...values, { key: 'x', value: String(number) }] }
  })
  const apart = statementOf({ type: 'OR', values: groups })
  const namings = ({ values }: typeof once) => values.filter((value) => value === '^7').length
  t.equal(namings(apart), namings(once))
  t.ok(apart.text.length < once.text.length + 45 * 500)
})

t.test('the conditions that a call names have a bound together', async (t) => {
  const values = Array.from({ length: 900 }, () => ({ key: 'a', value: 'b', type: 'person' }))
  const filters = JSON.parse(JSON.stringify({ properties: { type: 'AND', values } }))
  const members = cohortMembers(
    [1, 2, 3].map((id) => cohort(id, filters)),
    { nowMs: 0, zone: zoneOf('UTC') },
  )
  t.ok(members(1).ok && members(2).ok && members(1).ok, 'a cohort counts once')
  const third = members(3)
  t.match(third.ok ? '' : third.error, /Cohort 3 is too large together .* 2000 conditions/)
  t.ok(members(1).ok, 'the others stay')
})
