/** A plugin in a sandbox sees doubles. What it leaves where it was keeps its digits. */
import t from 'tap'
import { DECIMAL, HUGE, isHeld, LONG, NEAR, textCalls } from '../../support/numbers/long-numbers.ts'
import { startStandalone } from '../../support/servers/product.ts'
import { until } from '../../support/until.ts'

const SOURCE = `export function processEvent(event) {
  const { properties } = event
  properties.seen = String(properties.order)
  properties.copied = properties.order
  properties.changed = properties.changed + 2
  properties.list = [...properties.list, 1]
  return event
}
export function onEvent(event) {
  console.log('stored ' + event.properties.order + ' ' + event.properties.huge)
}`

t.test('numbers that pass a plugin', async (t) => {
  const product = await startStandalone(t)
  const { ask, capture, events } = textCalls(product)
  const files = { 'index.js': SOURCE, 'plugin.json': '{}' }
  const made = await ask(
    '/api/organizations/@current/plugins/',
    JSON.stringify({ plugin_type: 'source', name: 'test', files }),
  )
  const plugin = /"id":(\d+)/.exec(made)?.[1]
  const config = await ask(
    '/api/projects/1/plugin_configs/',
    `{"plugin":${plugin},"order":1,"enabled":true}`,
  )
  const properties = `"order":${LONG},"changed":${LONG},"list":[${DECIMAL}],"huge":${HUGE},"$set":{"a":${LONG}}`
  await capture([`{"event":"bought","distinct_id":"buyer-0","properties":{${properties}}}`])
  const stored = (await events('[]')).replaceAll('\\"', '"')
  for (const member of [
    ...[`"order": ?${LONG}`, `"seen": ?"${NEAR}"`, `"copied": ?${NEAR}`, `"huge": ?${HUGE}`],
    ...['"changed": ?9007199254740994', `"list": ?\\[${DECIMAL}, ?1\\]`, `"a": ?${LONG}`],
  ]) {
    t.match(stored, new RegExp(`${member}[^0-9]`), member.slice(0, 40))
  }
  t.ok(isHeld(await ask('/api/projects/1/persons/buyer-0/'), LONG), 'the person')
  const id = /"id":(\d+)/.exec(config)?.[1]
  const log = `/api/projects/1/plugin_configs/${id}/logs/?type_filter=LOG`
  await until('it is told of the event', async () => {
    return (await ask(log)).includes(`stored ${NEAR} Infinity`)
  })
})
