import { transform } from 'esbuild'
import t from 'tap'
import { parseManifest } from '../../../../src/plugins/settings/manifest.ts'
import { scaffoldPlugin } from '../../../../src/plugins/settings/scaffold.ts'

type Event = { event: string; distinct_id: string; properties: Record<string, unknown> }
type Meta = { config: Record<string, string>; global: object }
type Module = {
  setupPlugin(meta: Meta): void
  processEvent(event: Event, meta: Meta): Event | null
}

const files = scaffoldPlugin('Mark "staff"')
const text = (file: string) => files.get(file) ?? ''

t.test('a new plugin has its files, named as it is', (t) => {
  t.same([...files.keys()], ['index.ts', 'plugin.json', 'events.json', 'README.md'])
  const manifest = parseManifest(text('plugin.json'))
  t.ok(manifest.ok)
  if (manifest.ok) t.equal(manifest.value.name, 'Mark "staff"')
  t.match(text('README.md'), /^# Mark "staff"\n/)
  for (const file of files.values()) t.ok(file.endsWith('\n'))
  t.end()
})

t.test('its module works on its events', async (t) => {
  const { code } = await transform(text('index.ts'), { loader: 'ts', format: 'esm' })
  const url = `data:text/javascript,${encodeURIComponent(code)}`
  const plugin: Module = await import(url)
  const said = t.capture(console, 'log', () => {})
  const meta = { config: {}, global: {} }
  plugin.setupPlugin(meta)
  t.match(said(), [{ args: ['drops heartbeat'] }])
  const events: Event[] = JSON.parse(text('events.json'))
  const marks = events.map((event) => plugin.processEvent(event, meta)?.properties['is_internal'])
  t.same(marks, [true, false, undefined])
  const other = { config: { dropped: 'a, b', domain: 'customer.example' }, global: {} }
  plugin.setupPlugin(other)
  t.equal(plugin.processEvent({ event: 'b', distinct_id: 'x', properties: {} }, other), null)
  const ben = { event: 'heartbeat', distinct_id: 'ben@customer.example', properties: {} }
  t.match(plugin.processEvent(ben, other), { properties: { is_internal: true } })
})
