/** Assistants and `sluice query` ask for numbers that no double holds, and show them. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { linesOf } from '../../../src/cli/events/query.ts'
import { parseExact } from '../../../src/core/json-text/exact-numbers.ts'
import {
  ALL,
  buyAll,
  buyersIn,
  countQuestion,
  LONG,
  textCalls,
} from '../../support/numbers/long-numbers.ts'
import { startStandalone, testFolder } from '../../support/servers/product.ts'
import { runCommand } from '../../support/servers/run-command.ts'

t.test('numbers that assistants and commands ask for', async (t) => {
  const product = await startStandalone(t, { MCP_WRITES: 'on' })
  const { url, personalKey } = product
  const { filters } = textCalls(product)
  await buyAll(product)

  await t.test('an assistant finds a number by its digits, and gets them', async (t) => {
    const tool = async (name: string, args: string) => {
      const params = `{"name":"${name}","arguments":${args}}`
      const response = await fetch(`${url}/mcp`, {
        method: 'POST',
        headers: {
          ...{ authorization: `Bearer ${personalKey}`, 'content-type': 'application/json' },
          accept: 'application/json, text/event-stream',
        },
        body: `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":${params}}`,
      })
      const answer = await response.text()
      t.equal(response.status, 200, answer)
      return answer
    }
    for (const [place, number] of ALL.entries()) {
      const properties = filters('order', number)
      const people = await tool(
        'list_persons',
        `{"properties":${filters('order', number, 'person')}}`,
      )
      const [, text = ''] = /"text":"((?:[^"\\]|\\.)*)"/.exec(people) ?? []
      t.match(text, new RegExp(`\\\\"order\\\\": ?${number}[,}]`), 'the text')
      t.match(people, new RegExp(`"order": ?${number}[,}]`), 'the structure')
      t.strictSame(buyersIn(people), [`buyer-${place}`], number)
      const listed = await tool('list_events', `{"event":"bought","properties":${properties}}`)
      t.strictSame(buyersIn(listed), [`buyer-${place}`], number)
      t.notMatch(people + listed, /u0000/)
    }
    const filter = filters('order', LONG, 'person')
    const groups = `{"groups":[{"properties":${filter}}]}`
    await tool('create_flag', `{"key":"bought","filters":${groups}}`)
    for (const place of [0, 1]) {
      const asked = `{"key":"bought","distinct_id":"buyer-${place}"}`
      t.match(await tool('evaluate_flag', asked), new RegExp(`"enabled":${place === 0}`))
    }
  })

  await t.test(
    'a command asks with the digits of its file, and prints those of the answer',
    async (t) => {
      const file = join(testFolder(t), 'asked.json')
      const counts = ALL.map((number) => countQuestion(filters('order', number)))
      const actors = counts.map(
        (count) =>
          `{"kind":"ActorsQuery","source":{"kind":"InsightActorsQuery","source":${count}}}`,
      )
      const run = async (questions: readonly string[]) => {
        writeFileSync(file, `[${questions.join()}]`)
        const asked = ['query', file, '--url', url, '--key', personalKey, '--project', '1']
        const { status, stdout, stderr } = await runCommand(asked, {})
        t.equal(status, 0, stderr)
        return stdout.toString()
      }
      const counted = await run(counts)
      t.equal(counted.match(/"count":1[,}]/g)?.length, ALL.length)
      const shown = await run(actors)
      const text = linesOf(parseExact(`[${actors.join()}]`), parseExact(shown), 2_000)
      for (const [place, number] of ALL.entries()) {
        const said = number.slice(0, 30)
        t.match(shown, new RegExp(`buyer-${place}.*?"order":${number}[,}]`), said)
        t.match(
          text,
          new RegExp(`buyer-${place} .*"order":${number}[,}]`),
          `on a terminal: ${said}`,
        )
      }
    },
  )
})
