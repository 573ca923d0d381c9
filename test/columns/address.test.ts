/** Values too long for the address of a request reach ClickHouse all the same. */
import fc from 'fast-check'
import t from 'tap'
import { insertBlock } from '../../src/clickhouse/block.ts'
import { readEvents } from '../../src/clickhouse/block-reader.ts'
import { columnEvents, columnServer, columnStore } from '../support/columns/column-store.ts'

const server = await columnServer(t)
const columns = await columnStore(t, server)

t.test('texts of any length arrive as they are, one or many', async () => {
  const part = fc.string({ unit: 'grapheme', minLength: 1, maxLength: 20 })
  const long = fc.tuple(part, fc.integer({ min: 1, max: 20_000 }))
  const text = fc.oneof(
    part,
    long.map(([each, times]) => each.repeat(times)),
  )
  await fc.assert(
    fc.asyncProperty(fc.array(text, { minLength: 1, maxLength: 8 }), async (texts) => {
      const named = Object.fromEntries(texts.map((each, place) => [`v${place}`, each]))
      const lists = Object.keys(named).map((name) => `base64Encode({${name}: String})`)
      const [row = []] = await columns.rows(`select ${lists.join(', ')}, 'v0: String'`, named)
      const found = row.slice(0, -1).map((each) => Buffer.from(String(each), 'base64').toString())
      return found.every((each, place) => each === texts[place])
    }),
    { numRuns: 40 },
  )
})

t.test('signs that end or escape a literal do so nowhere', async (t) => {
  for (const sign of ["'", '\\', '\0', '`', '"', '\n', '{v: String}', "') or 1 --"]) {
    const given = sign.repeat(20_000)
    const [row] = await columns.rows('select length({v: String}), {v: String} = {w: String}', {
      ...{ v: given, w: given },
    })
    t.same(row?.map(Number), [given.length, 1], sign)
  }
})

t.test('a long text is known in each part of a statement', async (t) => {
  const ids = Array.from({ length: 5_000 }, (_, place) => place).join(',')
  const set = "(select toInt64(arrayJoin(splitByChar(',', {ids: String}))))"
  const [row] = await columns.rows(
    `with (select count() from numbers(10_000) where number in ${set}) as known
    select known, (select count() from (select number from numbers(7) union all
      select number from numbers(10_000) where number in ${set}) where number in ${set})`,
    { ids },
  )
  t.same(row?.map(Number), [5_000, 5_007])
})

t.test('events of thousands of keys are read at a time', async (t) => {
  const events = columnEvents(5_000)
  await insertBlock(columns, { number: 1, events })
  const uuids = events.map(({ uuid }) => uuid)
  const found = new Set<string>()
  const keys = { project: 1, day: '2026-03-04', uuids }
  for await (const { uuid } of readEvents(columns, 'y2026m03', keys)) found.add(uuid)
  t.same(found, new Set(uuids))
})
