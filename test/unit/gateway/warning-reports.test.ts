import t from 'tap'
import { createWarningReports } from '../../../gateway/warning-reports.ts'
import { isRead } from '../../../gateway/workers/management-calls.ts'
import { silentLog as log } from '../../../src/core/log.ts'
import { createFakeClock } from '../../support/fake-clock.ts'

t.test('reports go out once a second, again when they failed, and at the end', async (t) => {
  const clock = createFakeClock()
  const sent: { method: string; request: object }[] = []
  const world = { fails: true }
  const pool = {
    async call(method: string, request: object) {
      sent.push({ method, request })
      if (world.fails) throw new Error('no worker')
      return {}
    },
  }
  const random = () => 0.5
  const deps = { pool, memberToken: () => 'm', clock, log, random }
  const { warnings, close } = createWarningReports(deps)
  await clock.advance(3_000)
  t.equal(sent.length, 0, 'nothing to say')
  warnings.loseAll(7, [{ reason: 'no_name', event: '', distinctId: 'ada', uuid: 'u' }])
  await clock.advance(1_100)
  t.equal(sent.length, 1)
  world.fails = false
  await clock.advance(60_000)
  t.equal(sent.length, 2, 'and no more once it was taken')
  t.match(sent[1]?.request, {
    samples: [{ project_id: 7, reason: 'no_name', subject: 'ada', count: 1, details: /"ada"/ }],
    counts: [{ project_id: 7, reason: 'no_name', count: 1 }],
  })
  warnings.count(0, 'unknown_key', 2)
  await close()
  t.match(sent[2]?.request, { samples: [], counts: [{ project_id: 0, count: 2 }] })
  t.notOk(isRead(sent[2]?.method ?? ''), 'it is never sent to a second worker: counts add up')
})
