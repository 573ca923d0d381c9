import * as fc from 'fast-check'
import t from 'tap'
import { definition, pluginEvent, recordedHost } from '../../support/plugins/plugin-host.ts'
import { loadPlugin, plainLoader, processOne } from '../../support/plugins/sandbox.ts'
import { until } from '../../support/until.ts'

const PROGRAMS = 150
const SEED = Number(process.env['SEED'] ?? 20_240_601)

/** Values, statements and ways to return that no author would combine. */
const value = fc.constantFrom(
  'event',
  'meta',
  'globalThis',
  'event.properties',
  'Object.prototype',
  'Promise',
  'null',
  'undefined',
  '-0',
  '1n',
  'NaN',
  `Symbol.iterator`,
  `'\\ud800'`,
  `'x'.repeat(100_000)`,
  `new Proxy(event, { get: (target, key) => Reflect.get(target, key) })`,
  `new Proxy(() => {}, { get() { throw 1 }, apply() { return event } })`,
  `Object.create(null)`,
  `{ then(done) { done(event) } }`,
  `{ toJSON() { return event } }`,
  `{ get a() { throw new Error('a') } }`,
  `JSON.parse('{"__proto__":{"polluted":1}}')`,
  `fetch('https://example.com')`,
  `meta.storage.get('k')`,
  `posthog.capture('x')`,
  `new URL('https://a.b')`,
  `new Error('e')`,
  `Object.assign(new Error('e'), { name: { toString() { throw 1 } } })`,
  `new RetryError('r')`,
  `new Uint8Array(9)`,
  `async () => {}`,
)
const key = fc.constantFrom(
  'a',
  'then',
  'toJSON',
  '__proto__',
  'constructor',
  'prototype',
  'toString',
  'length',
  'name',
  'stack',
  'event',
  'properties',
)
const statement = fc.oneof(
  fc.tuple(value, key, value).map(([of, at, to]) => `try { (${of})['${at}'] = (${to}) } catch {}`),
  fc.tuple(value, value).map(([to, of]) => `try { Object.setPrototypeOf(${to}, ${of}) } catch {}`),
  value.map((what) => `console.log(${what})`),
  value.map((what) => `await (${what})`),
  value.map((what) => `try { String(${what}) } catch {}`),
  value.map((what) => `try { structured(${what}) } catch {}`),
  value.map((what) => `Promise.reject(${what})`),
  value.map((what) => `for (const any in ${what}) { event[any] = any; break }`),
  fc.tuple(value, value).map(([of, to]) => `try { Object.assign(${of}, ${to}) } catch {}`),
  value.map((what) => `try { Object.freeze(${what}) } catch {}`),
  value.map((what) => `try { new (${what})() } catch {}`),
  fc.constant('const deep = () => deep(); try { deep() } catch {}'),
)
const ending = fc.oneof(
  { weight: 4, arbitrary: fc.constant('return event') },
  value.map((what) => `return ${what}`),
  value.map((what) => `throw ${what}`),
  { weight: 1, arbitrary: fc.constantFrom('for (;;) await null', 'for (;;);', '') },
)
const program = fc
  .tuple(fc.array(statement, { maxLength: 8 }), ending, fc.boolean())
  .map(([body, end, isAsync]) => {
    const lines = body.map((line) => `{ ${isAsync ? line : line.replace(/^await /, '')} }`)
    const last = isAsync ? end : end.replace('await ', '')
    return `exports.processEvent = ${isAsync ? 'async ' : ''}(event, meta) => {
      ${lines.join('\n')}
      ${last}
    }`
  })

t.test('whatever a program does, it is answered, and a good plugin still works', async (t) => {
  t.comment(`SEED=${SEED}`)
  const loader = plainLoader({ processMs: 60 })
  const good = plainLoader()
  t.teardown(() => Promise.all([loader.close(), good.close()]))
  const programs = fc.sample(program, { numRuns: PROGRAMS, seed: SEED })
  let kept = 0
  for (const code of programs) {
    const loaded = await loader.load(definition(code), recordedHost())
    if (!loaded.ok) continue
    const answers = await loaded.instance.process([pluginEvent(), pluginEvent()])
    if (answers.length !== 2) t.fail(`not every event has an answer: ${code}`)
    kept += answers.filter((each) => each.kind === 'kept').length
    await loaded.instance.teardown()
    if (Reflect.get({}, 'polluted') !== undefined) t.fail(`the server has changed: ${code}`)
  }
  t.ok(kept > PROGRAMS / 10, `${kept} events were kept`)
  const instance = await loadPlugin(loader, 'exports.processEvent = () => null')
  await until('one in the same thread answers', async () => {
    const [answer] = await instance.process([pluginEvent()])
    return answer?.kind === 'dropped'
  })
  t.match(await processOne(await loadPlugin(good, 'exports.processEvent = (event) => event')), {
    kind: 'kept',
  })
})
