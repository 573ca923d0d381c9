import t from 'tap'
import { systemClock } from '../../../src/core/clock.ts'
import { projectId } from '../../../src/core/ids.ts'
import { insertDeadLetter } from '../../../src/event-store/dead-letters/dead-letter-store.ts'
import type { EventBatch, EventSink } from '../../../src/events/event-batch.ts'
import { StoreError } from '../../../src/ingest/store-port.ts'
import type { ClusterOperations } from '../../../src/manage/cluster/operation-handlers.ts'
import type { Sql } from '../../../src/postgres/connect.ts'
import { deadLettersOf } from '../../../src/worker/worker-dead-letters.ts'
import { as, OPERATOR_TOKEN, refusal, startManagement } from '../../support/api/management.ts'
import { makeEvent, rowOf } from '../../support/ingest/ingest-store.ts'

const MEMBER = { id: 'm1', address: '10.0.0.1:8001', shards: 128 }
const PAGE = { limit: 0, offset: 0 }
const NONE = { since: '', until: '', reason: '', dry_run: false, cursor: 0, limit: 0 }

/** A cluster of two whose writer stores everything. */
function clusterOver(sql: Sql, drained: string[]): ClusterOperations {
  const sink: EventSink = {
    submit: async ({ events }: EventBatch) => {
      return { kind: 'stored', stored: events.length, duplicates: 0, deadLetters: 0 }
    },
  }
  return {
    status: async () => ({ members: [MEMBER, { id: 'm2', address: '10.0.0.2:8001' }] }),
    drain: async (member) => {
      drained.push(member)
      return { member_id: member, address: MEMBER.address, released: MEMBER.shards }
    },
    copy: async () => ({ configured: false }),
    deadLettersOf: (user) => deadLettersOf({ sql, ingest: { writer: sink } }, systemClock, user),
  }
}

t.test('operations of staff on the cluster leave an entry with the user', async (t) => {
  const drained: string[] = []
  const m = await startManagement(t, systemClock, {}, undefined, (sql) => clusterOver(sql, drained))
  const { sql, owner, activity, admin } = m
  const operations = m.services['sluice.v1.OperationService']
  const staff = as(owner.personalApiKey)
  const project = projectId(owner.project?.id ?? 0)
  const newest = async () => {
    const asked = { ...PAGE, project_id: String(project) }
    const { results = [] } = await activity.ListProjectActivity(asked, staff)
    return results[0]
  }
  for (const [name, code] of [
    ['a', '22P05'],
    ['b', '22P05'],
    ['c', '23514'],
  ] as const) {
    const error = new StoreError('data', code, `refused: ${code}`)
    await insertDeadLetter(sql, rowOf(project, makeEvent({ event: name })), error)
  }

  t.match(await operations.ListDeadLetterCauses({}, staff), {
    results: [
      { sqlstate: '22P05', count: 2, projects: 1, error: 'refused: 22P05' },
      { sqlstate: '23514', count: 1 },
    ],
  })
  t.match(await operations.ListDeadLetters({ ...NONE, reason: '23514' }, staff), {
    count: 1,
    results: [{ event: 'c', sqlstate: '23514' }],
  })
  const chosen = { ...NONE, all: false }
  t.match(await refusal(operations.DiscardDeadLetters(chosen, staff)), { attr: 'all' })

  const replay = { ...chosen, reason: '22P05' }
  t.match(await operations.ReplayDeadLetters({ ...replay, limit: 1 }, staff), { stored: 1 })
  t.match(await operations.ReplayDeadLetters({ ...replay, limit: 1 }, staff), { stored: 1 })
  t.match(await newest(), {
    ...{ activity: 'dead_letters_replayed', scope: 'Event', user: { id: owner.userId } },
    detail: { changes: [{ field: 'stored' }, {}, {}] },
  })
  t.match(await operations.DiscardDeadLetters({ ...chosen, all: true }, staff), { discarded: 1 })
  t.match(await newest(), {
    ...{ activity: 'dead_letters_discarded', user: { id: owner.userId } },
  })

  const member = { member: MEMBER.id, address: MEMBER.address, dry_run: false }
  const slip = { ...member, address: '10.0.0.2:8001' }
  t.match(await refusal(operations.DrainMember(slip, staff)), { attr: 'address' })
  t.match(await operations.DrainMember({ ...member, dry_run: true }, staff), { released: 128 })
  t.strictSame(drained, [], 'neither a slip nor a dry run drains')
  t.match(await operations.DrainMember(member, staff), { address: MEMBER.address, released: 128 })
  t.strictSame(drained, [MEMBER.id])
  const { results = [] } = await admin.ListInstanceActivity(PAGE, as(OPERATOR_TOKEN))
  t.match(results[0], {
    ...{ scope: 'Instance', activity: 'drained', item_id: MEMBER.address },
    user: { id: owner.userId },
  })
})
