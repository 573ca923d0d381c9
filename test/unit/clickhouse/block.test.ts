import { randomUUID } from 'node:crypto'
import t from 'tap'
import { insertBlock } from '../../../src/clickhouse/block.ts'
import type { ColumnStore } from '../../../src/clickhouse/connect.ts'
import { countTurns } from '../../support/turns.ts'

const NEVER = () => Promise.reject(new Error('nobody asks for this'))
const TIME = '2026-03-04T05:06:07.123456Z'

/** Takes what it is given as fast as it comes, as the system does. */
function takingAll(taken: Buffer[]): ColumnStore {
  return {
    database: 'events',
    command: NEVER,
    bytes: NEVER,
    rows: async () => [['0']],
    async *stream() {},
    async insert(_sql, data) {
      for await (const piece of data) taken.push(piece)
    },
    close: async () => {},
  }
}

t.test('others have their turns while a block is written', async (t) => {
  const properties = JSON.stringify({ text: 'x'.repeat(1_000) })
  const events = Array.from({ length: 2_000 }, () => ({
    ...{ projectId: 1, uuid: randomUUID(), event: 'seen', distinctId: 'ann', timestamp: TIME },
    ...{ properties, elementsChain: '', createdAt: TIME },
  }))
  const taken: Buffer[] = []
  const turns = countTurns()
  t.equal(await insertBlock(takingAll(taken), { number: 1, events }), 'inserted')
  turns.end()
  t.ok(Buffer.concat(taken).length > 2_000_000)
  t.ok(turns.count() >= 25, `${turns.count()} turns for 2 MB`)
})
