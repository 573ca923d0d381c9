import t from 'tap'
import { projectId } from '../../../../src/core/ids.ts'
import { WARNINGS_PER_PROJECT_MAX } from '../../../../src/core/limits/limits.ts'
import type { CountedWarning } from '../../../../src/ingest/warning-counts.ts'
import { addWarnings } from '../../../../src/store/events/ingestion-warning-store.ts'
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
    t.match(await list(), { count: 0, results: [] })
    const others = projectId(outsider.project?.id ?? 0)
    await addWarnings(sql, [counted('a', 2), counted('foreign', 1, others)])
    await addWarnings(sql, [counted('b'), counted('gone', 1, projectId(999_999))])
    await addWarnings(sql, [counted('a', 3)])
    const { count, results } = await list()
    t.equal(count, 2)
    t.match(results, [
      { type: 'person_properties_size_violation', count: 5, last_seen_at: /^\d{4}-.*Z$/ },
      { count: 1 },
    ])
    t.match(results?.[0]?.details, { fields: { distinct_id: { stringValue: 'a' } } })
    const many = Array.from({ length: WARNINGS_PER_PROJECT_MAX + 5 }, (_, n) => counted(`n ${n}`))
    await addWarnings(sql, many.slice(5))
    await addWarnings(sql, many.slice(0, 5))
    t.equal((await list()).count, WARNINGS_PER_PROJECT_MAX)
    const newest = (await list({ limit: 5 })).results ?? []
    const about = newest.map(({ details }) => details?.fields?.['distinct_id']?.stringValue)
    t.same(about.toSorted(), ['n 0', 'n 1', 'n 2', 'n 3', 'n 4'])
  },
)
