import t from 'tap'
import { batchesOf, completed, parseAnswers } from '../../../../src/plugins/sandbox/answers.ts'
import { HostAsks } from '../../../../src/plugins/sandbox/host-asks.ts'
import { answerHost } from '../../../../src/plugins/sandbox/host-ops.ts'
import {
  parseErrorText,
  parseLoaded,
  sandboxError,
} from '../../../../src/plugins/sandbox/protocol.ts'
import { createFakeClock } from '../../../support/fake-clock.ts'
import { recordedHost } from '../../../support/plugins/plugin-host.ts'

t.test('events go in lists within the bound, one alone however large', (t) => {
  const large = 'x'.repeat(700_000)
  const sizes = (texts: string[]) => batchesOf(texts, false).map(({ size }) => size)
  t.same(sizes([]), [])
  t.same(sizes(['1', '2', '3']), [3])
  t.same(sizes([large, large, '1', '2']), [1, 3])
  t.same(sizes([large + large, '1']), [1, 1])
  t.same(batchesOf(['1', '2'], false)[0]?.text, '[1,2]')
  t.same(
    batchesOf(['1', '2'], true).map(({ text }) => text),
    ['[1]', '[2]'],
  )
  t.end()
})

t.test('answers that were forged are failures, and no more than there are events', (t) => {
  const kept = { kind: 'kept', event: { a: 1 } }
  t.match(parseAnswers('[{"a":1}],0,{"name":"E","message":"m"}', 3), [
    kept,
    { kind: 'dropped' },
    { kind: 'failed', error: { name: 'E', message: 'm', stack: '', isTimeout: false } },
  ])
  t.equal(parseAnswers('0,0,0', 2).length, 2)
  t.same(parseAnswers('not JSON', 2), [])
  for (const forged of ['1', '"x"', 'null', 'true']) {
    t.match(parseAnswers(forged, 1), [{ kind: 'failed' }], forged)
  }
  const [answer] = parseAnswers('[{"__proto__":{"polluted":1}}]', 1)
  t.match(answer, { kind: 'kept' })
  t.equal(Reflect.get({}, 'polluted'), undefined)
  t.same(completed([{ kind: 'dropped' }], 3, sandboxError('why')).length, 3)
  t.end()
})

t.test('errors and capabilities that were forged are read all the same', (t) => {
  for (const text of ['', 'null', '5', '[]', '{"name":5,"message":{}}', '{"isRetry":"yes"}']) {
    t.match(parseErrorText(text), { isRetry: false, isTimeout: false, name: /^\w+$/ }, text)
  }
  t.match(parseErrorText('{"name":"RetryError","isRetry":true}'), { isRetry: true })
  for (const text of [undefined, '', 'null', '5', '{"error":5}']) {
    t.ok('error' in parseLoaded(text), String(text))
  }
  t.same(parseLoaded('{"methods":["a",1],"jobs":5}'), { methods: ['a'], jobs: [] })
  t.end()
})

t.test('calls to the server wait for a place and for their turn', async (t) => {
  const clock = createFakeClock()
  await clock.advance(1_000)
  const sent: number[] = []
  const asks = new HostAsks(clock, (id) => sent.push(id))
  for (let n = 0; n < 40; n++) asks.add('op', '[]')
  t.equal(sent.length, 16)
  t.ok(asks.answered(1))
  t.notOk(asks.answered(1), 'once')
  t.notOk(asks.answered(999))
  t.equal(sent.length, 17)
  for (let id = 2; id <= 40; id++) asks.answered(id)
  for (let id = 41; sent.length < 200; id++) {
    asks.add('op', '[]')
    asks.answered(id)
  }
  asks.add('op', '[]')
  t.equal(sent.length, 200, 'no more in a tenth of a second')
  await clock.advance(100)
  t.equal(sent.length, 201)
})

t.test('calls to the server are bounded in number and size', (t) => {
  const asks = new HostAsks(createFakeClock(), () => {})
  t.throws(() => asks.add('op', 'x'.repeat(1_048_577)), /characters/)
  for (let n = 0; n < 16; n++) asks.add('op', 'x'.repeat(1_048_576))
  t.throws(() => asks.add('op', 'x'), /too many calls/)
  t.ok(asks.answered(1))
  for (let n = 0; n < 985; n++) asks.add('op', '[]')
  t.throws(() => asks.add('op', '[]'), /too many calls/)
  t.end()
})

t.test('requests of a sandbox are checked before the server is asked', async (t) => {
  const host = recordedHost()
  const ask = async (op: string, args: string) =>
    await answerHost(host, { sandbox: 1, hostCall: 2, op, args }, new AbortController().signal)
  const bad: readonly [string, string][] = [
    ['constructor', '[]'],
    ['storage.get', '[]'],
    ['storage.get', '{}'],
    ['storage.get', 'no JSON'],
    ['storage.get', '[["a"]]'],
    ['cache.expire', '["a","b"]'],
    ['cache.lpush', '["a",{"length":1}]'],
    ['capture', '["a",[]]'],
    ['job', '{"name":5,"runAtMs":1}'],
    ['job', '{"name":"a","runAtMs":null}'],
    ['fetch', '{"url":5,"method":"GET"}'],
    ['fetch', 'null'],
  ]
  for (const [op, args] of bad) t.match(await ask(op, args), { isOk: false }, `${op} ${args}`)
  t.same(host.calls, [])
  host.stored.set('a', 'x'.repeat(2_100_000))
  t.match(await ask('storage.get', '["a"]'), { isOk: false, text: /too large/ })
  t.same(await ask('storage.get', '["b"]'), { sandbox: 1, hostCall: 2, isOk: true, text: '' })
})
