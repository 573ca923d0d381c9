/** Numbers that no double holds have their digits in ClickHouse too, and questions find them by these. */
import t from 'tap'
import { columnServer, freshDatabase, openColumns } from '../support/columns/column-store.ts'
import { commandsOf } from '../support/columns/commands.ts'
import {
  ALL,
  breakdownQuestion,
  buyAll,
  countQuestion,
  isHeld,
  textCalls,
} from '../support/numbers/long-numbers.ts'
import { startStandalone } from '../support/servers/product.ts'

t.setTimeout(300_000)

const server = await columnServer(t)

/** Without the time it took. */
const resultsOf = (answer: string) => /"results":\[.*?\],"hasMore"/.exec(answer)?.[0] ?? answer

t.test('both stores answer alike', async (t) => {
  const database = await freshDatabase(t, server)
  const columns = await openColumns(t, database)
  const product = await startStandalone(t)
  const { filters, query } = textCalls(product)
  await buyAll(product)
  const values = ALL.flatMap((number) => [number, `"${number}"`, `[${number}]`])
  const questions = [
    breakdownQuestion(),
    ...values.map((value) => countQuestion(filters('order', value))),
    ...values.map((value) => countQuestion(filters('order', value, 'person'))),
    ...ALL.map((number) => countQuestion(filters('order', number, 'event', 'gt'))),
    ...ALL.map((number) => countQuestion(filters('in', `"${number}"`, 'event', 'icontains'))),
    ...ALL.map((number) => countQuestion(filters('in', `",${number},"`, 'event', 'regex'))),
  ]
  const asked = async () => {
    const answers: string[] = []
    for (const question of questions) answers.push(await query(question))
    return answers
  }
  const before = await asked()
  await product.restart({ EVENTS_URL: database })
  const moved = await commandsOf(product)('events', 'move')
  t.equal(moved.status, 0, moved.stderr)
  const after = await asked()
  for (const [place, question] of questions.entries()) {
    t.match(before[place], /"k":"sql"/, question)
    t.match(after[place], /"k":"clickhouse"/, question)
    t.equal(resultsOf(after[place] ?? ''), resultsOf(before[place] ?? ''), question)
  }
  const [breakdown = '', ...counts] = after
  for (const number of ALL) t.ok(breakdown.includes(`"breakdown_value":"${number}"`), number)
  for (const [place, value] of values.entries()) {
    if (value !== '"1000000000000000000000"') t.match(counts[place], /"count":1[,}]/, value)
  }
  const text = String(await columns.rows(`select properties from ${columns.database}.events`))
  for (const number of ALL) t.ok(isHeld(text, number), `the block: ${number}`)
})
