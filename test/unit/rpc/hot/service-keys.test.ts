import t from 'tap'
import { AppError } from '../../../../src/core/code.ts'
import { AWAY_PROBE_MS, LATE_PROBE_ATTEMPT_MS } from '../../../../src/core/database-health.ts'
import { REVISIONS_READ_MS, SNAPSHOT_STALE_MAX_MS } from '../../../../src/core/limits/limits.ts'
import {
  createServiceKeys,
  SERVICE_KEYS_MAX,
  type ServiceProject,
} from '../../../../src/rpc/hot/service-keys.ts'
import { createFakeClock } from '../../../support/fake-clock.ts'
import { ONE } from '../../../support/workers/projects.ts'
import { testHealth } from '../../../support/workers/test-health.ts'

const PROJECT: ServiceProject = { id: ONE, anonymizeIps: false }

function setUp() {
  const clock = createFakeClock()
  const store = {
    mode: 'here' as 'here' | 'away' | 'hangs',
    project: PROJECT as ServiceProject | undefined,
    asked: 0,
  }
  const ask = async () => {
    store.asked++
    if (store.mode === 'away') throw new AppError('unavailable', 'no database')
    if (store.mode === 'hangs') await new Promise(() => {})
    return store.project
  }
  const keys = createServiceKeys({
    resolve: ask,
    health: testHealth(clock, ask),
    clock,
  })
  return { clock, store, keys }
}

t.test('a key is asked about each time, so that a change holds at once', async (t) => {
  const { store, keys } = setUp()
  t.same(await keys.find('phc_a'), PROJECT)
  store.project = { ...PROJECT, anonymizeIps: true }
  t.same(await keys.find('phc_a'), store.project)
  store.project = undefined
  t.equal(await keys.find('phc_a'), undefined)
  store.mode = 'away'
  await t.rejects(keys.find('phc_a'), { code: 'unavailable' }, 'one that is gone is not remembered')
})

t.test('while the database is away, known keys hold for ten minutes', async (t) => {
  const { clock, store, keys } = setUp()
  await keys.find('phc_a')
  store.mode = 'away'
  await t.rejects(keys.find('phc_b'), { code: 'unavailable' })
  t.same(await keys.find('phc_a'), PROJECT)
  await clock.advance(SNAPSHOT_STALE_MAX_MS)
  t.same(await keys.find('phc_a'), PROJECT)
  await clock.advance(1)
  await t.rejects(keys.find('phc_a'), { code: 'unavailable' })
})

t.test('changes of keys void what is remembered, also what is just being read', async (t) => {
  const { store, keys } = setUp()
  const read = keys.find('phc_a')
  keys.forget()
  t.same(await read, PROJECT)
  store.mode = 'away'
  await t.rejects(keys.find('phc_a'), { code: 'unavailable' })
})

t.test('a database that hangs is not asked by every call', async (t) => {
  const { clock, store, keys } = setUp()
  await keys.find('phc_a')
  store.mode = 'hangs'
  const first = keys.find('phc_a')
  await clock.advance(REVISIONS_READ_MS)
  t.same(await first, PROJECT)
  await clock.advance(LATE_PROBE_ATTEMPT_MS)
  for (let n = 0; n < 100; n++) t.same(await keys.find('phc_a'), PROJECT)
  t.equal(store.asked, 3, 'the late read and its probe')
  await clock.advance(AWAY_PROBE_MS)
  for (let n = 0; n < 100; n++) await keys.find('phc_a')
  t.equal(store.asked, 4)
})

t.test('the keys that were asked for last are remembered, no more than so many', async (t) => {
  const { store, keys } = setUp()
  for (let n = 0; n <= SERVICE_KEYS_MAX; n++) await keys.find(`phc_${n}`)
  store.mode = 'away'
  await t.rejects(keys.find('phc_0'), { code: 'unavailable' })
  t.same(await keys.find('phc_1'), PROJECT)
})
