import t from 'tap'
import { projectId } from '../../../src/core/ids.ts'
import { WARNINGS_PER_PROJECT_MAX } from '../../../src/core/limits/limits.ts'
import type { IngestionWarning } from '../../../src/ingest/ingestion-warning.ts'
import { type CountedWarning, createWarningCounts } from '../../../src/ingest/warning-counts.ts'

function warning(subject: string, project = 1, details = {}): IngestionWarning {
  const type = 'person_properties_size_violation'
  return { projectId: projectId(project), type, subject, details }
}

function setUp() {
  const written: CountedWarning[][] = []
  const world = { fails: false }
  const counts = createWarningCounts(async (some) => {
    if (world.fails) throw new Error('no database')
    written.push([...some])
  })
  return { counts, written, world }
}

t.test('warnings about one subject are one, with the newest details', async (t) => {
  const { counts, written } = setUp()
  counts.add([warning('a', 1, { n: 1 }), warning('b'), warning('a', 2), warning('a', 1, { n: 2 })])
  await counts.flush()
  await counts.flush()
  t.same(written, [
    [
      { warning: warning('a', 1, { n: 2 }), count: 2 },
      { warning: warning('b'), count: 1 },
      { warning: warning('a', 2), count: 1 },
    ],
  ])
})

t.test('what could not be written is written the next time', async (t) => {
  const { counts, written, world } = setUp()
  counts.add([warning('a')])
  world.fails = true
  await t.rejects(counts.flush(), { message: 'no database' })
  world.fails = false
  counts.add([warning('a')])
  await counts.flush()
  t.same(written, [[{ warning: warning('a'), count: 2 }]])
})

t.test('many warnings of one project leave room for those of others', async (t) => {
  const { counts, written } = setUp()
  const many = Array.from({ length: WARNINGS_PER_PROJECT_MAX + 1 }, (_, n) => warning(`${n}`))
  counts.add([...many, warning('a', 2)])
  await counts.flush()
  t.equal(written[0]?.length, WARNINGS_PER_PROJECT_MAX + 1)
  t.ok(written[0]?.some((each) => each.warning.projectId === 2))
})
