import t from 'tap'
import { definition, recordedHost } from '../../../support/plugins/plugin-host.ts'
import {
  loadPlugin,
  plainLoader,
  propertiesOf,
  returning,
} from '../../../support/plugins/sandbox.ts'

const loader = plainLoader()
t.teardown(() => loader.close())

type More = Parameters<typeof definition>[1]

/** Value of the expression inside; the message when it throws. */
async function resultOf(
  expression: string,
  host = recordedHost(),
  more: More = {},
): Promise<unknown> {
  const instance = await loadPlugin(loader, definition(returning(expression), more), host)
  const properties = await propertiesOf(instance)
  await instance.teardown()
  return typeof properties === 'string' ? properties : Reflect.get(Object(properties), 'value')
}

t.test('config holds the settings, whatever their names', async (t) => {
  const settings = JSON.parse('{"token":"s3cret","list":[1],"__proto__":{"a":1},"none":null}')
  t.same(
    await resultOf('JSON.stringify(meta.config)', undefined, { settings }),
    JSON.stringify(settings),
  )
})

t.test('attachments are bytes with a text', async (t) => {
  const attachments = new Map([
    ['rules', { contentType: 'text/plain', fileName: 'r.txt', contents: Buffer.from('grüße') }],
    ['none', { contentType: '', fileName: '', contents: new Uint8Array() }],
  ])
  const value = await resultOf(
    `(() => {
      const { rules, none } = meta.attachments
      return [rules.content_type, rules.file_name, rules.contents.toString(), rules.contents[0],
        rules.contents instanceof Uint8Array, rules.contents === rules.contents,
        none.contents.length, Object.keys(meta.attachments)]
    })()`,
    undefined,
    { attachments },
  )
  t.same(value, ['text/plain', 'r.txt', 'grüße', 103, true, true, 0, ['rules', 'none']])
})

t.test('global is kept between calls of an instance and shared with no other', async (t) => {
  const source = `exports.processEvent = (event, { global }) => {
    global.count = (global.count ?? 0) + 1
    event.properties = { count: global.count }
    return event
  }`
  const [one, other] = [await loadPlugin(loader, source), await loadPlugin(loader, source)]
  t.same(await propertiesOf(one), { count: 1 })
  t.same(await propertiesOf(one), { count: 2 })
  t.same(await propertiesOf(other), { count: 1 })
})

t.test('storage keeps JSON, and set of nothing deletes', async (t) => {
  const host = recordedHost()
  t.equal(await resultOf(`meta.storage.get('a', 'preset')`, host), 'preset')
  await resultOf(`meta.storage.set('a', { b: [1, null] })`, host)
  t.same(host.stored.get('a'), { b: [1, null] })
  t.same(await resultOf(`meta.storage.get('a')`, host), { b: [1, null] })
  await resultOf(`meta.storage.set('a', undefined)`, host)
  t.notOk(host.stored.has('a'))
  await resultOf(`meta.storage.set('b', 1).then(() => meta.storage.del('b'))`, host)
  t.same(host.calls, [
    'storage.get',
    'storage.set',
    'storage.get',
    'storage.del',
    'storage.set',
    'storage.del',
  ])
  t.match(await resultOf('meta.storage.get(5)', host), 'failed: argument 1 must be a text')
  t.match(await resultOf(`meta.storage.set('a', 1n)`, host), /^failed: .*bigint/i)
})

t.test('cache has values with a time, counters and lists', async (t) => {
  const host = recordedHost()
  const value = await resultOf(
    `(async ({ cache }) => {
      await cache.set('k', { a: 1 }, 60)
      await cache.set('for ever', 1)
      await cache.lpush('l', ['a', 'b'])
      return [
        await cache.get('k'), await cache.get('no', 'preset'), await cache.incr('n'),
        await cache.incr('n'), await cache.expire('k', 5), await cache.expire('no', 5),
        await cache.lpush('l', 'c'), await cache.llen('l'), await cache.lrange('l', 0, 1),
        await cache.lrem('l', 1, 'b'), await cache.lpop('l', 2), await cache.lpop('l'),
      ]
    })(meta)`,
    host,
  )
  t.same(value, [{ a: 1 }, 'preset', 1, 2, true, false, 3, 3, ['c', 'b'], 1, ['c', 'a'], []])
  t.ok(host.calls.includes('cache.set 60'))
  t.ok(host.calls.includes('cache.set undefined'))
  t.match(await resultOf(`meta.cache.expire('k', 'soon')`, host), /argument 2 must be a number/)
})

t.test('jobs are asked for now, later or at a date', async (t) => {
  const host = recordedHost()
  const before = Date.now()
  const source = `exports.jobs = { tell() {}, __proto__x() {} }
    ${returning(`(async ({ jobs }) => {
      const job = jobs.tell({ a: 1 })
      return [
        await job.runNow(), await job.runIn(2, 'hours'), await job.runIn(1, 'week'),
        await job.runAt(new Date(5_000)), await job.runAt('1970-01-01T00:00:06Z'),
        await jobs.tell().runAt(7_000), Object.keys(jobs),
      ]
    })(meta)`)}`
  const instance = await loadPlugin(loader, definition(source), host)
  t.match(await propertiesOf(instance), {
    value: ['job-1', 'job-2', 'job-3', 'job-4', 'job-5', 'job-6', ['tell', '__proto__x']],
  })
  const after = Date.now()
  const times = host.jobs.map(({ runAtMs }) => runAtMs)
  for (const [at, delay] of [0, 7_200_000, 604_800_000].entries()) {
    t.ok((times[at] ?? 0) >= before + delay && (times[at] ?? 0) <= after + delay, `${delay} ms`)
  }
  t.same(times.slice(3), [5_000, 6_000, 7_000])
  t.same(host.jobs[0], { name: 'tell', payload: { a: 1 }, runAtMs: times[0] })
  t.same(host.jobs[5]?.payload, {})
})

t.test('units reach from milliseconds to years; nonsense is refused', async (t) => {
  const host = recordedHost()
  const units = 'milliseconds second minutes hour days weeks month quarters year'.split(' ')
  const source = (body: string) => `exports.jobs = { tell() {} }\n${returning(body)}`
  const all = `Promise.all(${JSON.stringify(units)}.map((u) => meta.jobs.tell().runIn(1, u)))`
  await propertiesOf(await loadPlugin(loader, definition(source(all)), host))
  t.equal(host.jobs.length, units.length)
  for (const bad of [`runIn(1, 'fortnight')`, `runIn('x', 'days')`, `runAt('never')`, 'runAt()']) {
    const instance = await loadPlugin(loader, definition(source(`meta.jobs.tell().${bad}`)), host)
    t.match(await propertiesOf(instance), /^failed: run(?:In|At) takes/, bad)
  }
  t.equal(host.jobs.length, units.length)
})

t.test('places of addresses and cursors are asked of the server', async (t) => {
  const host = recordedHost()
  t.same(await resultOf(`meta.geoip.locate('1.1.1.1')`, host), { country: 'AU' })
  t.equal(await resultOf(`meta.geoip.locate('2.2.2.2')`, host), null)
  const cursor = `(async ({ cursor }) => {
    await cursor.init('c', 5)
    await cursor.init('c', 9)
    return [await cursor.increment('c'), await cursor.increment('c', 3)]
  })(meta.utils)`
  t.same(await resultOf(cursor, host), [6, 9])
})

t.test('meta holds nothing else', async (t) => {
  t.same(await resultOf('Object.keys(meta)'), [
    'config',
    'attachments',
    'global',
    'storage',
    'cache',
    'jobs',
    'geoip',
    'utils',
  ])
})

t.test('many calls to the server at a time are answered, each for itself', async (t) => {
  const host = recordedHost()
  const value = await resultOf(
    `Promise.all(Array.from({ length: 300 }, (_, n) =>
      meta.storage.set('k' + n, n).then(() => meta.storage.get('k' + n))))`,
    host,
  )
  t.same(
    value,
    Array.from({ length: 300 }, (_, n) => n),
  )
})
