import t from 'tap'
import { projectId } from '../../../../src/core/ids.ts'
import { WARNINGS_PER_PROJECT_MAX } from '../../../../src/core/limits/limits.ts'
import type { CountedWarning, ReasonCount } from '../../../../src/events/warnings/warning-counts.ts'
import { droppedOfAll } from '../../../../src/store/warnings/dropped-store.ts'
import { addWarnings } from '../../../../src/store/warnings/ingestion-warning-store.ts'
import { as, makeUser, startManagement } from '../../../support/api/management.ts'

t.test(
  'a project sees what ingestion left out, counted, the newest of a bounded number',
  async (t) => {
    const { sql, owner, services } = await startManagement(t)
    const warnings = services['sluice.v1.IngestionWarningService']
    const outsider = await makeUser(sql, 'outsider@example.com')
    const project = projectId(owner.project?.id ?? 0)
    const counted = (subject: string, count = 1, of = project): CountedWarning => ({
      warning: {
        ...{ projectId: of, type: 'person_properties_size_violation', subject },
        details: { distinct_id: subject, message: `about ${subject}` },
      },
      count,
    })
    const list = (page: object = {}) =>
      warnings.ListIngestionWarnings(
        { project_id: String(project), limit: 0, offset: 0, ...page },
        as(owner.personalApiKey),
      )
    const add = (...samples: CountedWarning[]) => addWarnings(sql, { samples, counts: [] })
    t.match(await list(), { count: 0, results: [], last_hour: [] })
    const others = projectId(outsider.project?.id ?? 0)
    await add(counted('a', 2), counted('foreign', 1, others))
    await add(counted('b'), counted('gone', 1, projectId(999_999)))
    await add(counted('a', 3))
    const { count, results } = await list()
    t.equal(count, 2)
    t.match(results, [
      { type: 'person_properties_size_violation', count: 5, last_seen_at: /^\d{4}-.*Z$/ },
      { count: 1 },
    ])
    t.match(results?.[0]?.details, { fields: { distinct_id: { stringValue: 'a' } } })
    const many = Array.from({ length: WARNINGS_PER_PROJECT_MAX + 5 }, (_, n) => counted(`n ${n}`))
    await add(...many.slice(5))
    await add(...many.slice(0, 5))
    t.equal((await list()).count, WARNINGS_PER_PROJECT_MAX)
    const newest = (await list({ limit: 5 })).results ?? []
    const about = newest.map(({ details }) => details?.fields?.['distinct_id']?.stringValue)
    t.same(about.toSorted(), ['n 0', 'n 1', 'n 2', 'n 3', 'n 4'])
    const other = counted('of another reason')
    await add({ ...other, warning: { ...other.warning, type: 'no_name' } })
    await add(...many.slice(5))
    const rows = (await list({ limit: 100 })).results ?? []
    t.ok(
      rows.some(({ type }) => type === 'no_name'),
      'many of one reason leave room for those of another',
    )
    t.equal(rows.length, WARNINGS_PER_PROJECT_MAX)
  },
)

t.test('dropped events are summed up over the last hour', async (t) => {
  const { sql, owner, services } = await startManagement(t)
  const project = owner.project?.id ?? 0
  const one = { projectId: project, type: 'no_name', ageMs: 0, count: 1 }
  const add = (...counts: ReasonCount[]) => addWarnings(sql, { samples: [], counts })
  await add({ ...one, count: 4 }, { ...one, ageMs: 30 * 60_000 }, { ...one, ageMs: 61 * 60_000 })
  await add({ ...one, type: 'of a newer release' })
  await Promise.all(Array.from({ length: 8 }, () => add(one)))
  await add({ ...one, projectId: 0, type: 'unknown_key' }, { ...one, projectId: 999_999, count: 2 })
  const { last_hour, since } = await services[
    'sluice.v1.IngestionWarningService'
  ].ListIngestionWarnings(
    { project_id: String(project), limit: 0, offset: 0 },
    as(owner.personalApiKey),
  )
  t.match(last_hour, [
    { reason: 'no_name', effect: 'dropped', count: 13, meaning: /name/, advice: /Send/ },
    { reason: 'of a newer release', effect: '', count: 1, meaning: '', advice: '' },
  ])
  const age = Date.now() - Date.parse(since ?? '')
  t.ok(age >= 59 * 60_000 && age < 61 * 60_000, `since ${since}`)
  const all = await droppedOfAll(sql)
  t.match(all.rows, [
    { projectId: project, reason: 'no_name', count: 13 },
    { projectId: 0, reason: 'no_name', count: 2 },
    { projectId: 0, reason: 'unknown_key', count: 1 },
    { projectId: project, reason: 'of a newer release', count: 1 },
  ])
  t.equal(all.others, 0)
})
