import t from 'tap'
import { definition, recordedHost } from '../../../support/plugins/plugin-host.ts'
import {
  loadPlugin,
  plainLoader,
  processOne,
  propertiesOf,
} from '../../../support/plugins/sandbox.ts'
import { until } from '../../../support/until.ts'

const MIB = 1_048_576
const COUNTS = `let count = 0
exports.processEvent = (event) => {
  count += 1
  event.properties = { count }
  return event
}`
/** Keeps what each event asks for. */
const GREEDY = `let count = 0
const kept = []
exports.processEvent = (event) => {
  count += 1
  for (let mib = 0; mib < event.properties.mib; mib++) kept.push(new Uint8Array(1_048_576).fill(1))
  event.properties = { count }
  return event
}`

t.test('whoever takes more once nothing is left starts anew, and no other does', async (t) => {
  // Two machines have 16 MiB each at first.
  const loader = plainLoader({ memoryBytesMax: 60 * MIB })
  t.teardown(() => loader.close())
  const modest = await loadPlugin(loader, COUNTS)
  const host = recordedHost()
  const greedy = await loadPlugin(loader, definition(GREEDY, { configId: 8 }), host)
  t.same(await propertiesOf(modest), { count: 1 })
  t.same(await propertiesOf(greedy, { mib: 10 }), { count: 1 })
  t.same(await propertiesOf(greedy, { mib: 10 }), { count: 2 }, 'there was room')
  t.same(host.logs, [])
  t.same(await propertiesOf(greedy, { mib: 30 }), { count: 3 }, 'what it did is not lost')
  await until('it is said', () => host.logs.length > 0)
  t.match(host.logs, [{ type: 'ERROR', message: /all the memory .* starts anew/ }])
  t.same(await propertiesOf(modest), { count: 2 })
  t.same(await propertiesOf(greedy, { mib: 10 }), { count: 1 }, 'anew')
  t.same(await propertiesOf(modest), { count: 3 })
})

t.test('without room no sandbox is made, and with room again it is', async (t) => {
  const loader = plainLoader({ memoryBytesMax: 20 * MIB })
  t.teardown(() => loader.close())
  const first = await loadPlugin(loader, COUNTS)
  const load = () => loader.load(definition(COUNTS, { configId: 8 }), recordedHost())
  t.match(await load(), { ok: false, error: { message: /all the memory/, isRetry: true } })
  t.match(await processOne(first), { kind: 'kept' })
  await first.teardown()
  await until('there is room', async () => (await load()).ok)
})

t.test('memory that a thread held is free when it has ended', async (t) => {
  const loader = plainLoader({ memoryBytesMax: 40 * MIB, processMs: 200 })
  t.teardown(() => loader.close())
  // Nothing inside looks at the clock: the thread itself is ended.
  const stuck = await loadPlugin(
    loader,
    `exports.processEvent = () => { 'a'.repeat(30).match(/^(a|a)*b/); for (;;); }`,
  )
  for (let round = 0; round < 4; round++) {
    t.match(await processOne(stuck), { kind: 'failed', error: { isTimeout: true } })
  }
  const other = await loader.load(definition(COUNTS, { configId: 8 }), recordedHost())
  t.match(other, { ok: true })
})
