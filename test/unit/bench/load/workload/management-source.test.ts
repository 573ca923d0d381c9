import t from 'tap'
import {
  createManagementSource,
  MANAGEMENT_ROUTES,
} from '../../../../../bench/load/workload/management-source.ts'

const project = { projectId: 7, personalApiKey: 'phx_key' }
const objects = { flag: 3, pluginConfig: 4, eventDefinition: 'd', events: ['u1', 'u2'] }
const options = { distinctIds: 100_000, event: 'bench event 0', seed: 1 }

t.test('every route asks with the key for something of the project', (t) => {
  for (const route of MANAGEMENT_ROUTES) {
    const target = { host: 'sluice.test:8000', project, objects }
    const source = createManagementSource(target, route, options)
    const buffer = Buffer.alloc(source.bytesMax)
    const seen = new Set<string>()
    for (let at = 0; at < 50; at++) seen.add(buffer.toString('utf8', 0, source.fill(buffer)))
    for (const request of seen) {
      t.match(request, /^GET \/api\/projects\/7\/\S* HTTP\/1\.1\r\nHost: sluice\.test:8000\r\n/)
      t.match(request, /\r\nAuthorization: Bearer phx_key\r\n\r\n$/)
    }
    const isMany = route === 'events-by-distinct-id' || route === 'event'
    t.equal(seen.size > 1, isMany, route)
    t.equal(source.eventsPerRequest, 0)
  }
  t.end()
})

t.test('only a whole object is an answer', (t) => {
  const target = { host: 'h', project, objects }
  const source = createManagementSource(target, 'project', options)
  const accepts = (text: string) => source.accepts(Buffer.from(text), 0, text.length, 0)
  t.ok(accepts('{"id":7}'))
  for (const text of ['', '[]', '{"id":', '{}']) t.notOk(accepts(text), text)
  t.end()
})
