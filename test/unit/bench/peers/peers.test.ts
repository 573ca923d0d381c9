import fc from 'fast-check'
import t from 'tap'
import { emptyCounts } from '../../../../bench/load/tally.ts'
import {
  createFixedSource,
  getRequest,
  isTogglesAnswer,
  postRequest,
  userId,
} from '../../../../bench/peers/fixed-source.ts'
import { wrongFlags } from '../../../../bench/peers/flag-check.ts'
import { createWrk, H2LOAD, wrkScript } from '../../../../bench/peers/load-tools.ts'
import {
  problemsOf,
  type RoundFigures,
  renderTable,
  summarise,
} from '../../../../bench/peers/table.ts'
import { codePoint } from '../../../support/code-points.ts'

t.test('prepared requests are sent in order, and the first again after the last', async (t) => {
  const target = { host: '127.0.0.1:80', path: '/' }
  const requests = ['a', 'bcd', 'ef'].map((body) => postRequest(target, body))
  const source = createFixedSource(requests, () => true)
  t.equal(source.bytesMax, requests[1]?.length)
  const buffer = Buffer.alloc(source.bytesMax)
  for (let turn = 0; turn < 7; turn++) {
    const length = source.fill(buffer)
    t.equal(buffer.toString('utf8', 0, length), requests[turn % 3]?.toString())
  }
  t.throws(() => createFixedSource([], () => true), /needs a request/)
})

t.test('a request is what the wire wants, whatever its body', async (t) => {
  const target = { host: '127.0.0.1:8000', path: '/api?userId=user-0000000007' }
  t.equal(
    getRequest({ ...target, path: `/api?userId=${userId(7)}` }, 'a:b.c').toString(),
    'GET /api?userId=user-0000000007 HTTP/1.1\r\nHost: 127.0.0.1:8000\r\n' +
      'Authorization: a:b.c\r\n\r\n',
  )
  fc.assert(
    fc.property(fc.string({ unit: codePoint }), (body) => {
      const [head = '', ...rest] = postRequest(target, body).toString().split('\r\n\r\n')
      const bytes = Buffer.from(body)
      const length = Number(/Content-Length: (\d+)$/.exec(head)?.[1])
      return length === bytes.length && rest.join('\r\n\r\n') === bytes.toString()
    }),
  )
})

t.test('an answer of toggles is told from any other, and from one that was cut', async (t) => {
  const toggle = { name: 'a', enabled: true, variant: { name: 'b' }, impressionData: false }
  const whole = JSON.stringify({ toggles: [toggle, toggle] })
  const accepts = (text: string) => {
    // Answers stand anywhere in the buffer that all connections share.
    const bytes = Buffer.from(`${whole}${text}${whole}`)
    const start = Buffer.byteLength(whole)
    return isTogglesAnswer(bytes, start, start + Buffer.byteLength(text))
  }
  t.ok(accepts(whole))
  for (const other of ['', '{}', '{"toggles":[]}', '{"message":"no"}', '[{"toggles":[{}]}']) {
    t.notOk(accepts(other), other)
  }
  for (let length = 0; length < whole.length; length++) {
    t.notOk(accepts(whole.slice(0, length)), `${length} bytes`)
  }
})

t.test('flags that are on for the wrong users are noticed', async (t) => {
  const users = Array.from({ length: 64 }, (_, user) => {
    const on = [3, 4, 5].map((number) => `bench-flag-${number}`)
    return new Set(user % 2 === 0 ? [...on, 'bench-flag-1'] : on)
  })
  t.equal(wrongFlags(users, 5), undefined)
  const changed = (change: (on: Set<string>) => void) =>
    wrongFlags(
      users.map((on) => {
        const copy = new Set(on)
        change(copy)
        return copy
      }),
      5,
    )
  t.equal(
    changed((on) => on.add('bench-flag-1')),
    'bench-flag-1 is on for 100 % of users',
  )
  t.equal(
    changed((on) => on.delete('bench-flag-1')),
    'bench-flag-1 is on for 0 % of users',
  )
  t.equal(
    changed((on) => on.add('bench-flag-2')),
    'bench-flag-2 is on for 100 % of users',
  )
  t.equal(
    changed((on) => on.delete('bench-flag-5')),
    'bench-flag-5 is on for 0 % of users',
  )
  t.match(wrongFlags([], 5), /NaN/, 'no users show nothing')
})

function figures(side: string, rps: number, more: Partial<RoundFigures> = {}): RoundFigures {
  return {
    side,
    rps,
    p50: 1,
    p99: 2,
    cpuUs: 100,
    bad: 0,
    counts: { ...emptyCounts(), sent: 10, accepted: 10 },
    generatorCpuPercent: 20,
    saturated: undefined,
    processes: [],
    ...more,
  }
}

t.test('a ratio is that of one round: the machine may be twice as fast in the next', async (t) => {
  const rounds = [
    [figures('ours', 1_000), figures('theirs', 500)],
    [figures('ours', 3_000), figures('theirs', 1_000)],
    [figures('ours', 8_000), figures('theirs', 2_000)],
  ]
  const [ours, theirs] = summarise(rounds)
  t.match(ours, { rps: { median: 3_000, min: 1_000, max: 8_000 } })
  t.match(ours, { ratio: { median: 3, min: 2, max: 4 } })
  t.match(theirs, { side: 'theirs', ratio: { median: 1, min: 1, max: 1 } })
  const [head = '', rule, first = ''] = renderTable(summarise(rounds)).split('\n')
  t.equal(head.split('|').length, first.split('|').length)
  t.match(rule, /^[| -]+$/)
  t.match(first, /\*\*3,000\/s\*\* \| 1,000 to 8,000 .* \| 3 \(2 to 4\) \|$/)
})

t.test('figures of failed requests or a saturated generator are said to be no good', async (t) => {
  t.same(problemsOf([[figures('a', 1)], [figures('a', 2)]]), [])
  const none = { ...emptyCounts(), sent: 5, refused: 5 }
  const rounds = [
    [figures('a', 1, { bad: 1 }), figures('b', 1, { saturated: 'generator used 95 % of a core' })],
    [figures('a', 0, { bad: 5, counts: none }), figures('b', 1)],
  ]
  t.same(problemsOf(rounds), [
    'round 1, a: 1 of 10 not accepted',
    'round 1, b: generator used 95 % of a core',
    'round 2, a: 5 of 5 not accepted',
    'round 2, a: no valid answer',
  ])
})

t.test('a tool whose answers were not all good has no rate', async (t) => {
  const wrk = createWrk('post.lua')
  const good = '  1500 requests in 1.00s, 2.10MB read\nRequests/sec:   1499.71\n'
  t.match(wrk.rateIn(good), { ok: true, value: 1499.71 })
  t.match(wrk.rateIn(`  Non-2xx or 3xx responses: 12\n${good}`), { ok: false })
  t.match(wrk.rateIn(`  Socket errors: connect 0, read 1, write 0, timeout 0\n${good}`), {
    ok: false,
    error: 'socket errors: connect 0, read 1, write 0, timeout 0',
  })
  t.match(wrk.rateIn(''), { ok: false })
  const finished = 'finished in 2.00s, 21819.00 req/s, 12.30MB/s\n'
  const codes = (list: string) => `${finished}status codes: ${list}\n`
  t.match(H2LOAD.rateIn(codes('43638 2xx, 0 3xx, 0 4xx, 0 5xx')), { ok: true, value: 21819 })
  t.match(H2LOAD.rateIn(codes('43630 2xx, 0 3xx, 7 4xx, 1 5xx')), {
    ok: false,
    error: '8 answers were not 2xx',
  })
  t.match(H2LOAD.rateIn(finished), { ok: false })
  t.match(H2LOAD.rateIn('status codes: 0 2xx, 0 3xx, 0 4xx, 0 5xx\n'), { ok: false })
})

t.test('no body ends the text that a script holds it in', async () => {
  const piece = fc.constantFrom(']', '=', '[', '"', '\\', 'a')
  fc.assert(
    fc.property(
      fc.array(piece).map((pieces) => pieces.join('')),
      (body) => {
        const line = wrkScript(body).split('\n')[1] ?? ''
        const [, level, held] = /^wrk\.body = \[(=*)\[(.*)$/.exec(line) ?? []
        // Lua takes the first closing bracket of the same level as the end.
        return held?.indexOf(`]${level}]`) === body.length && held.startsWith(body)
      },
    ),
  )
})
