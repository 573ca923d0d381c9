/** Rows of blocks as bytes. That ClickHouse reads them is tested with it. */
import fc from 'fast-check'
import t from 'tap'
import { isRowFault } from '../../../src/clickhouse/column-error.ts'
import { type NewColumnEvent, RowWriter } from '../../../src/clickhouse/row-binary.ts'
import { ByteSink } from '../../../src/core/bytes/byte-sink.ts'
import { InvariantError } from '../../../src/core/code.ts'
import { readRows } from '../../support/columns/row-binary.ts'

const EVENT: NewColumnEvent = {
  projectId: 1,
  uuid: '0189e2f4-7a3b-7cde-8f01-23456789abcd',
  event: 'seen',
  distinctId: 'someone',
  timestamp: '2026-03-04T05:06:07.123456Z',
  properties: '{"b":1,"a":[ 2 ]}',
  elementsChain: '',
  createdAt: '2026-03-04T05:06:08.000001Z',
}

function rowOf(event: NewColumnEvent) {
  const sink = new ByteSink()
  new RowWriter('y2026m03', 7).write(sink, event)
  const rows = readRows(sink.written())
  if (rows.length !== 1) throw new Error(`${rows.length} rows`)
  return rows[0]
}

t.test('a row has all of an event, properties in the order of jsonb', async (t) => {
  t.strictSame(rowOf(EVENT), {
    ...{ projectId: 1, month: 'y2026m03', day: 20_516, uuid: EVENT.uuid, block: 7 },
    ...{ event: 'seen', distinctId: 'someone', properties: '{"a": [2], "b": 1}' },
    elementsChain: '',
    timestampUs: 1_772_600_767_123_456n,
    createdUs: 1_772_600_768_000_001n,
  })
  t.strictSame(rowOf({ ...EVENT, properties: Buffer.from('{"b":1,"a":[ 2 ]}') }), rowOf(EVENT))
})

t.test('texts of any length and time of any year come out as they went in', async () => {
  const texts = fc.oneof(
    fc.string({ unit: 'binary' }),
    fc.string({ minLength: 120, maxLength: 400 }),
  )
  const times = fc.date({
    min: new Date('0001-01-01T00:00:00Z'),
    max: new Date('9999-12-31T23:59:59.999Z'),
    noInvalidDate: true,
  })
  const micros = fc.integer({ min: 0, max: 999 })
  fc.assert(
    fc.property(texts, texts, texts, times, micros, (event, distinctId, elementsChain, at, us) => {
      const timestamp = `${at.toISOString().slice(0, 23)}${String(us).padStart(3, '0')}Z`
      const row = rowOf({ ...EVENT, event, distinctId, elementsChain, timestamp })
      const found = [row?.event, row?.distinctId, row?.elementsChain, row?.timestampUs, row?.day]
      const wanted = BigInt(at.getTime()) * 1_000n + BigInt(us)
      const day = Math.floor(at.getTime() / 86_400_000)
      const all = [event, distinctId, elementsChain, wanted, day]
      for (const [nth, each] of all.entries()) {
        if (found[nth] !== each) throw new Error(`${String(found[nth])} of ${String(each)}`)
      }
    }),
    { numRuns: 500 },
  )
})

t.test('a value that Postgres would not take is a fault of its row', async (t) => {
  t.throws(() => rowOf({ ...EVENT, timestamp: 'never' }), InvariantError, 'Postgres was given it')
  for (const change of [{ uuid: 'no uuid' }, { properties: '{' }]) {
    try {
      rowOf({ ...EVENT, ...change })
      t.fail('it was taken')
    } catch (error) {
      t.ok(isRowFault(error), String(error))
    }
  }
})
