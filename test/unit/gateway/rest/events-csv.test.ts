import t, { type Test } from 'tap'
import type { HttpReply } from '../../../../gateway/http/http-server.ts'
import { createRenderers } from '../../../../gateway/rest/renderers.ts'
import { NO_SESSIONS } from '../../../../gateway/rest/session/session-cookie.ts'
import { AppError } from '../../../../src/core/code.ts'
import { EVENT_EXPORT_LIMIT_MAX } from '../../../../src/core/limits/limits-query.ts'
import { EVENT_EXPORT_COLUMNS_MAX } from '../../../../src/wire/column-set.ts'
import { permissionDeniedDetail } from '../../../../src/wire/details.ts'
import { methods } from '../../../../src/wire/proto/proto.ts'
import { parseCsv } from '../../../support/api/csv.ts'
import { bodyOf, headerOf, setUp, textOf } from '../../../support/http/rest.ts'
import type { RecordedCall } from '../../../support/workers/recording-worker.ts'

const EVENTS = '/api/projects/7/events/'
const CSV = `${EVENTS}?format=csv`
const NOTHING = { columns: [], rows: [], cursor: '', start: '', is_table: false }

/** A worker with an export of these pieces; each names the next by its index. */
function exporting(pieces: readonly (readonly object[])[], columns: readonly string[]) {
  return ({ request }: RecordedCall) => {
    const { cursor, columns_only } = { cursor: '', columns_only: false, ...request }
    const at = cursor === '' ? 0 : Number(cursor)
    const next = at + 1 < pieces.length ? String(at + 1) : ''
    if (columns_only) return { ...NOTHING, columns, cursor: next, start: '0' }
    const rows = (pieces[at] ?? []).map((row) => JSON.stringify(row))
    return { ...NOTHING, rows, cursor: next, start: String(at) }
  }
}

function gateway(answer: (call: RecordedCall) => object | Promise<object>) {
  return setUp(answer, { methods: methods(), renderers: createRenderers(unused, NO_SESSIONS) })
}

function iteratorOf({ body }: HttpReply): AsyncIterator<Uint8Array> {
  if (typeof body === 'string' || body instanceof Uint8Array) throw new Error('not a stream')
  return body[Symbol.asyncIterator]()
}

t.test('the columns of all pieces come first, then the lines of each', async (t) => {
  const pieces = [[{ id: 'a', n: 1 }], [], [{ id: 'b', n: null }]]
  const { ask, calls } = gateway(exporting(pieces, ['id', 'n']))
  const reply = await ask('GET', `${CSV}&event=x&limit=9`)
  t.equal(reply.status, 200)
  t.equal(headerOf(reply, 'content-type'), 'text/csv; charset=utf-8')
  t.equal(headerOf(reply, 'cache-control'), 'no-store')
  t.equal(await textOf(reply), 'id,n\r\na,1\r\nb,\r\n')
  t.same(
    calls.map(({ method }) => method),
    Array.from({ length: 6 }, () => 'ListExportedEvents'),
  )
  for (const { request } of calls) {
    t.match(request, { project_id: '7', query: { event: 'x', limit: 9, offset: 0 } })
  }
})

t.test('no column, cell or value is a formula, unless raw=1 asks for it as it is', async (t) => {
  const event = { '=1+1': '@SUM(A1)', n: -5, s: '-5' }
  const { ask } = gateway(exporting([[event]], ['=1+1', 'n', 's']))
  t.equal(await textOf(await ask('GET', CSV)), "'=1+1,n,s\r\n'@SUM(A1),-5,-5\r\n")
  t.equal(await textOf(await ask('GET', `${CSV}&raw=1`)), '=1+1,n,s\r\n@SUM(A1),-5,-5\r\n')
  const one = gateway(() => ({ native: JSON.stringify(event) }))
  const id = '01900000-0000-7000-8000-000000000000'
  const path = `${EVENTS}${id}/?format=csv`
  t.equal(await textOf(await one.ask('GET', path)), "'=1+1,n,s\r\n'@SUM(A1),-5,-5\r\n")
  t.equal(await textOf(await one.ask('GET', `${path}&raw=1`)), '=1+1,n,s\r\n@SUM(A1),-5,-5\r\n')
  const values = gateway(() => ({ results: [{ name: '=1+1' }] }))
  const list = `${EVENTS}values/?key=a&format=csv`
  t.equal(await textOf(await values.ask('GET', list)), "name\r\n'=1+1\r\n")
  t.equal(await textOf(await values.ask('GET', `${list}&raw=1`)), 'name\r\n=1+1\r\n')
})

t.test('the limit of a CSV is its own', async (t) => {
  const { ask, calls } = gateway(exporting([], []))
  const asked = [
    ['', 3_500],
    ['&limit=0', 3_500],
    ['&limit=many', 3_500],
    ['&limit=20000&offset=5', 20_000],
    ['&limit=999999999', EVENT_EXPORT_LIMIT_MAX],
  ] as const
  for (const [query, limit] of asked) {
    t.equal(await textOf(await ask('GET', `${CSV}${query}`)), '', 'no event, empty body')
    t.match(calls.at(-1)?.request, { query: { limit, offset: query.includes('offset') ? 5 : 0 } })
  }
})

t.test('keys of events that came meanwhile are left out', async (t) => {
  const { ask } = gateway(exporting([[{ id: 'a', late: 1 }], [{ later: 2, id: 'b' }]], ['id']))
  t.equal(await textOf(await ask('GET', CSV)), 'id\r\na\r\nb\r\n')
})

t.test('Accept asks for it as well, and names of columns are cells too', async (t) => {
  const { ask } = gateway(exporting([[{ 'a,"b': '"' }]], ['a,"b']))
  const reply = await ask('GET', EVENTS, { headers: { accept: 'text/csv' } })
  t.same(parseCsv(await textOf(reply)), [['a,"b'], ['"']])
})

t.test('a reader who leaves halfway ends the export', async (t) => {
  const pieces = Array.from({ length: 50 }, (_, index) => [{ id: String(index) }])
  const { ask, calls } = gateway(exporting(pieces, ['id']))
  const lines = iteratorOf(await ask('GET', CSV))
  t.equal(String((await lines.next()).value), 'id\r\n')
  t.equal(String((await lines.next()).value), '0\r\n')
  t.equal(String((await lines.next()).value), '1\r\n')
  const count = calls.length
  t.equal(count, pieces.length + 2, 'no piece is read before it is wanted')
  await lines.return?.()
  t.match(await lines.next(), { done: true })
  t.equal(calls.length, count)
})

t.test('HEAD asks for one event and reads no body', async (t) => {
  const { ask, calls } = gateway(exporting([[{ id: 'a' }], [{ id: 'b' }]], ['id']))
  const reply = await ask('HEAD', `${CSV}&limit=100000`)
  t.equal(reply.status, 200)
  t.equal(headerOf(reply, 'content-type'), 'text/csv; charset=utf-8')
  t.equal(await textOf(reply), '')
  t.match(calls, { length: 1 })
  t.match(calls[0]?.request, { columns_only: true, query: { limit: 1 } })
})

async function refusedAt(t: Test, call: number) {
  let made = 0
  const worker = exporting([[{ id: 'a' }], [{ id: 'b' }]], ['id'])
  const { ask } = gateway((each) => {
    made += 1
    if (made < call) return worker(each)
    const detail = permissionDeniedDetail
    throw new AppError('permission_denied', 'the key was revoked', { detail })
  })
  const reply = await ask('GET', CSV)
  t.equal(reply.status, 403, `refused at call ${call}`)
  t.match(bodyOf(reply), { code: 'permission_denied' })
}

t.test('a failure before the first byte is an error of its own', async (t) => {
  for (const call of [1, 2, 3]) await refusedAt(t, call)
  const { ask, calls } = gateway(exporting([], []))
  await ask('GET', `${CSV}&shape=odd`)
  t.match(calls[0]?.options.metadata['x-sluice-body-error'], /"attr":"shape"/)
})

t.test('a later failure is thrown, which cuts the connection', async (t) => {
  const worker = exporting([[{ id: 'a' }], [{ id: 'b' }]], ['id'])
  const { ask } = gateway((call) => {
    if (
      JSON.stringify(call.request).includes('"cursor":"1"') &&
      !('columns_only' in call.request)
    ) {
      throw new AppError('unavailable', 'the worker has gone')
    }
    return worker(call)
  })
  const lines = iteratorOf(await ask('GET', CSV))
  t.equal(String((await lines.next()).value), 'id\r\n')
  t.equal(String((await lines.next()).value), 'a\r\n')
  await t.rejects(lines.next(), { code: 'unavailable' })
})

t.test('more columns than a table may have are 400', async (t) => {
  const names = (from: number) =>
    Array.from({ length: EVENT_EXPORT_COLUMNS_MAX / 2 + 1 }, (_, index) => `c${from + index}`)
  const { ask } = gateway(({ request }) => {
    const isFirst = 'cursor' in request ? request.cursor === '' : true
    return isFirst
      ? { ...NOTHING, columns: names(0), cursor: '1' }
      : { ...NOTHING, columns: names(EVENT_EXPORT_COLUMNS_MAX) }
  })
  const reply = await ask('GET', CSV)
  t.equal(reply.status, 400)
  t.match(bodyOf(reply), { code: 'invalid_input', attr: 'limit' })
})

t.test('the columns of a table keep their order, and lists stay in their cell', async (t) => {
  const columns = ['properties', 'count()', 'event']
  const rows = ['[{"b": [1, 2], "a": "x"}, 12345678901234567890, null]', '[[1], 2.50, "a,b"]']
  const table = (found: readonly string[]) =>
    gateway(({ request }) => {
      const wanted = 'columns_only' in request ? {} : { rows: found }
      return { ...NOTHING, columns, is_table: true, ...wanted }
    })
  const { ask, calls } = table(rows)
  const reply = await ask('GET', `${CSV}&select=properties&select=count()&select=event`)
  t.same(parseCsv(await textOf(reply)), [
    columns,
    ['{"b": [1, 2], "a": "x"}', '12345678901234567890', ''],
    ['[1]', '2.50', 'a,b'],
  ])
  t.match(calls[1]?.request, { query: { select: columns } })
  t.equal(calls.length, 2)
  t.equal(await textOf(await table([]).ask('GET', CSV)), '', 'no row, empty body')
})

t.test('one event has its own keys as columns', async (t) => {
  const native = '{"id":"e","properties":{"z":[1],"a":1.10},"person":null,"elements":[]}'
  const { ask, calls } = gateway(() => ({ native }))
  const reply = await ask('GET', `${EVENTS}e/?format=csv&shape=text&include_person=1`)
  t.same(parseCsv(await textOf(reply)), [
    ['id', 'person', 'properties.a', 'properties.z.0'],
    ['e', '', '1.10', '1'],
  ])
  t.match(calls[0], { method: 'GetEvent', request: { shape: 'native', include_person: '1' } })
})

t.test('values are one column', async (t) => {
  const results = [{ name: 'a,b' }, { name: '' }, { name: 'c' }]
  const { ask, calls } = gateway(() => ({ results }))
  const reply = await ask('GET', `${EVENTS}values/?format=csv&key=k&event_name=x&event_name=y`)
  t.equal(await textOf(reply), 'name\r\n"a,b"\r\n""\r\nc\r\n')
  t.match(calls[0]?.request, { key: 'k', event_name: ['x', 'y'] })
  const none = gateway(() => ({ results: [] }))
  t.equal(await textOf(await none.ask('GET', `${EVENTS}values/?format=csv`)), '')
})

/** The renderer of streams, which these calls do not reach. */
async function unused(): Promise<never> {
  throw new Error('a stream was asked for')
}
