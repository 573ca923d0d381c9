import t from 'tap'
import { WARNINGS_PER_PROJECT_MAX } from '../../../../src/core/limits/limits.ts'
import type { IngestionWarning } from '../../../../src/events/warnings/ingestion-warning.ts'
import {
  createWarningCounts,
  WARNED_PROJECTS_MAX,
  WARNING_COUNTS_MAX,
  WARNING_SAMPLE_AGE_MAX_MS,
  WARNING_SAMPLES_MAX,
  type WarningsTaken,
} from '../../../../src/events/warnings/warning-counts.ts'

function warning(subject: string, project = 1, details = {}): IngestionWarning {
  const type = 'person_properties_size_violation'
  return { projectId: project, type, subject, details }
}

function setUp() {
  const written: WarningsTaken[] = []
  const told: unknown[] = []
  const world = { fails: false, now: 0 }
  const counts = createWarningCounts({
    write: async (taken) => {
      if (world.fails) throw new Error('no database')
      written.push(taken)
    },
    monotonic: () => world.now,
    onWarned: (...each) => told.push(each),
  })
  return { counts, written, told, world }
}

t.test('warnings about one subject are one, with the newest details', async (t) => {
  const { counts, written } = setUp()
  counts.add([warning('a', 1, { n: 1 }), warning('b'), warning('a', 2), warning('a', 1, { n: 2 })])
  await counts.flush()
  await counts.flush()
  t.equal(written.length, 1)
  t.same(written[0]?.samples, [
    { warning: warning('a', 1, { n: 2 }), count: 2 },
    { warning: warning('b'), count: 1 },
    { warning: warning('a', 2), count: 1 },
  ])
  const counted = { type: 'person_properties_size_violation', ageMs: 0 }
  t.same(written[0]?.counts, [
    { projectId: 1, ...counted, count: 3 },
    { projectId: 2, ...counted, count: 1 },
  ])
})

t.test('counts that could not be written are written the next time', async (t) => {
  const { counts, written, world } = setUp()
  counts.add([warning('a')])
  world.fails = true
  await t.rejects(counts.flush(), { message: 'no database' })
  world.fails = false
  counts.add([warning('a')])
  await counts.flush()
  t.same(written[0]?.samples, [{ warning: warning('a'), count: 2 }])
  t.match(written[0]?.counts, [{ count: 2 }])
})

t.test('many warnings of one project leave room for those of others', async (t) => {
  const { counts, written } = setUp()
  const many = Array.from({ length: WARNINGS_PER_PROJECT_MAX + 1 }, (_, n) => warning(`${n}`))
  counts.add([...many, warning('a', 2)])
  await counts.flush()
  t.equal(written[0]?.samples.length, WARNINGS_PER_PROJECT_MAX + 1)
  t.ok(written[0]?.samples.some((each) => each.warning.projectId === 2))
  t.match(written[0]?.counts, [{ count: WARNINGS_PER_PROJECT_MAX + 1 }, { count: 1 }], 'all count')
})

t.test('counts have the age of their minute, and are forgotten with their hour', async (t) => {
  const { counts, written, told, world } = setUp()
  counts.count(1, 'no_name', 2)
  world.now = 130_000
  counts.count(1, 'no_name', 3)
  counts.count(0, 'unknown_key', 1)
  await counts.flush()
  const one = { projectId: 1, type: 'no_name' }
  t.same(written[0]?.counts, [
    { ...one, ageMs: 130_000, count: 2 },
    { ...one, ageMs: 10_000, count: 3 },
    { projectId: 0, type: 'unknown_key', ageMs: 10_000, count: 1 },
  ])
  t.same(told, [
    ['no_name', 1, 2],
    ['no_name', 1, 3],
    ['unknown_key', 0, 1],
  ])
  counts.count(1, 'no_name', 1)
  world.now += 2 * 3_600_000
  await counts.flush()
  t.equal(written.length, 1)
})

t.test('a sample that waits for long is not written: its person may be gone', async (t) => {
  const { counts, written, world } = setUp()
  const loss = { reason: 'no_name', event: '', distinctId: 'a', uuid: 'u' } as const
  counts.loseAll(1, [loss, loss])
  world.fails = true
  await t.rejects(counts.flush())
  world.fails = false
  world.now = WARNING_SAMPLE_AGE_MAX_MS + 1
  counts.loseAll(1, [{ ...loss, distinctId: 'b' }])
  await counts.flush()
  t.match(written[0]?.samples, [{ warning: { subject: 'b' } }])
  t.equal(written[0]?.samples.length, 1)
  t.match(written[0]?.counts, [{ count: 3 }])
})

t.test('memory is bounded, and all is counted', async (t) => {
  const { counts, written } = setUp()
  for (let project = 1; project <= WARNING_COUNTS_MAX + 10; project++) {
    counts.loseAll(project, [{ reason: 'no_name', event: 'e', distinctId: 'd', uuid: 'u' }])
  }
  await counts.flush()
  const taken = written[0]?.counts ?? []
  t.equal(taken.length, WARNING_COUNTS_MAX + 1)
  t.match(taken.at(-1), { projectId: 0, type: 'no_name', count: 10 })
  t.equal(written[0]?.samples.length, WARNED_PROJECTS_MAX)
})

t.test('samples are bounded for a request and for all projects together', async (t) => {
  const { counts, written } = setUp()
  const losses = Array.from({ length: WARNINGS_PER_PROJECT_MAX }, (_, n) => {
    return { reason: 'no_name', event: 'e', distinctId: `${n}`, uuid: `${n}` } as const
  })
  counts.loseAll(1, losses)
  await counts.flush()
  t.match(written[0]?.counts, [{ count: losses.length }], 'all count')
  t.equal(written[0]?.samples.length, 20, 'of one request')
  const projects = Math.floor(WARNING_SAMPLES_MAX / WARNINGS_PER_PROJECT_MAX) + 1
  for (let project = 1; project <= projects; project++) {
    counts.add(losses.map(({ uuid }) => warning(uuid, project)))
  }
  await counts.flush()
  t.equal(written[1]?.samples.length, WARNING_SAMPLES_MAX, 'of all projects')
  const counted = (written[1]?.counts ?? []).reduce((sum, { count }) => sum + count, 0)
  t.equal(counted, projects * losses.length)
})

t.test('samples of no project are not kept', async (t) => {
  const { counts, written } = setUp()
  counts.loseAll(0, [{ reason: 'no_name', event: 'e', distinctId: 'd', uuid: 'u' }])
  await counts.flush()
  t.same(written[0]?.samples, [])
})
