import t from 'tap'
import { systemClock } from '../../../../src/core/clock.ts'
import { silentLog } from '../../../../src/core/log.ts'
import { answerQuestion } from '../../../../src/query/insights/answer.ts'
import { createAnswerCache } from '../../../../src/query/insights/cache/answer-cache.ts'
import { createProject } from '../../../support/ingest/ingest-store.ts'
import { anyScans } from '../../../support/query/any-scans.ts'
import { randomHistory } from '../../../support/query/kept-histories.ts'
import { testDatabase } from '../../../support/servers/database.ts'

const HISTORIES = 5
const STEPS = 14

t.test('a kept answer is what counting gives, whatever happened between', async (t) => {
  const db = await testDatabase(t, { connectionsMax: 6 })
  const first = Number(process.env['SEED'] ?? 1)
  let kept = 0
  for (let seed = first; seed < first + HISTORIES; seed++) {
    kept += await randomHistory(t, db, { seed, steps: STEPS })
  }
  t.ok(kept > 0, `${kept} answers were kept ones`)
})

t.test('an answer that cannot be kept is answered all the same', async (t) => {
  const { sql } = await testDatabase(t)
  const project = await createProject(sql)
  await sql.unsafe(`
    create function refuse() returns trigger language plpgsql as $$ begin
      raise exception 'the disk is full'; end $$;
    create trigger refuse before insert on kept_answers for each row execute function refuse()`)
  const warned: string[] = []
  const log = { ...silentLog, warn: (text: string) => warned.push(text) }
  const cache = createAnswerCache(sql, log)
  const deps = { sql, clock: systemClock, scans: anyScans(), cache }
  const asked = { id: project, timezone: 'UTC', testAccountFilters: [] }
  const query = {
    kind: 'TrendsQuery',
    series: [{ kind: 'EventsNode', event: 'view', math: 'dau' }],
  }
  const { signal } = new AbortController()
  const answer = await answerQuestion(deps, asked, query, { path: 'query' }, signal)
  t.match(answer, { ok: true, value: { results: [{ count: 0 }], is_cached: false } })
  t.same(warned, ['an answer was not kept'])
})
