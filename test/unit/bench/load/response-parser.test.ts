import fc from 'fast-check'
import t from 'tap'
import {
  ANSWER_BYTES_MAX,
  HEAD_BYTES_MAX,
  ResponseParser,
} from '../../../../bench/load/response-parser.ts'

type Answer = { status: number; keepAlive: boolean; body: string }

/** Feeds `pieces` one by one; answers what came out and the first problem. */
function parse(pieces: readonly Buffer[]): { answers: Answer[]; problem: string | undefined } {
  const answers: Answer[] = []
  const parser = new ResponseParser({
    onAnswer: (status, keepAlive, bytes, start, end) => {
      answers.push({ status, keepAlive, body: bytes.toString('utf8', start, end) })
    },
  })
  for (const piece of pieces) {
    const problem = parser.push(piece, piece.length)
    if (problem !== undefined) return { answers, problem }
  }
  return { answers, problem: undefined }
}

const SIZED =
  'HTTP/1.1 200 OK\r\nContent-Type: application/json\r\ncontent-LENGTH:  12 \r\nDate: x\r\n\r\n' +
  '{"status":1}'
const CHUNKED =
  'HTTP/1.1 200 OK\r\nTransfer-Encoding: Chunked\r\n\r\n' +
  '5;name=value\r\n{"sta\r\n7\r\ntus":1}\r\n0\r\nTrailer: yes\r\n\r\n'
const CLOSING =
  'HTTP/1.1 503 Service Unavailable\r\nConnection: close\r\nContent-Length: 0\r\nX: \r\n\r\n'
const INTERIM = 'HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 204 No Content\r\n\r\n'

t.test('bytes that are not an answer are refused', async (t) => {
  const cases: [string, string][] = [
    ['GET / HTTP/1.1\r\nHost: x\r\n\r\n', 'not an HTTP/1 answer'],
    ['HTTP/2.0 200 OK\r\n\r\n', 'not an HTTP/1 answer'],
    ['HTTP/1.1 abc OK\r\n\r\n', 'not an HTTP/1 answer'],
    ['HTTP/1.1 200 OK\r\n\r\n', 'body without a length'],
    ['HTTP/1.1 200 OK\r\nContent-Length: 1x\r\n\r\n', 'bad length'],
    ['HTTP/1.1 200 OK\r\nContent-Length: -1\r\n\r\n', 'bad length'],
    ['HTTP/1.1 200 OK\r\nContent-Length:\r\n\r\n', 'bad length'],
    ['HTTP/1.1 200 OK\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n', 'bad length'],
    ['HTTP/1.1 200 OK\r\nTransfer-Encoding: gzip\r\n\r\n', 'transfer encoding gzip'],
    ['HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n\r\n', 'chunk without a size'],
    ['HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n1\r\nab', 'chunk longer than its size'],
  ]
  for (const [text, problem] of cases) {
    t.equal(parse([Buffer.from(text)]).problem, problem, JSON.stringify(text))
  }
})

t.test('heads and bodies have a bound', async (t) => {
  const head = Buffer.from(`HTTP/1.1 200 OK\r\nX: ${'x'.repeat(HEAD_BYTES_MAX)}`)
  t.equal(parse([head]).problem, 'head too large')
  const halves = [head.subarray(0, HEAD_BYTES_MAX), head.subarray(HEAD_BYTES_MAX)]
  t.equal(parse(halves).problem, 'head too large')
  const sized = `HTTP/1.1 200 OK\r\nContent-Length: ${ANSWER_BYTES_MAX + 1}\r\n\r\n`
  t.equal(parse([Buffer.from(sized)]).problem, 'body too large')
  const chunked = 'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nffffffffff\r\n'
  t.equal(parse([Buffer.from(chunked)]).problem, 'body too large')
})

t.test('answers are the same wherever the stream is cut once', async (t) => {
  const stream = Buffer.from(SIZED + CHUNKED + CLOSING + INTERIM + SIZED)
  const whole = parse([stream])
  t.strictSame(whole, {
    answers: [
      { status: 200, keepAlive: true, body: '{"status":1}' },
      { status: 200, keepAlive: true, body: '{"status":1}' },
      { status: 503, keepAlive: false, body: '' },
      { status: 204, keepAlive: true, body: '' },
      { status: 200, keepAlive: true, body: '{"status":1}' },
    ],
    problem: undefined,
  })
  let same = 0
  for (let cut = 1; cut < stream.length; cut++) {
    const cutOnce = parse([stream.subarray(0, cut), stream.subarray(cut)])
    if (JSON.stringify(cutOnce) === JSON.stringify(whole)) same++
    else t.fail(`cut at ${cut}: ${JSON.stringify(cutOnce)}`)
  }
  t.equal(same, stream.length - 1)
})

t.test('answers are the same byte by byte and cut at random', async (t) => {
  const stream = Buffer.from(CHUNKED + SIZED + CLOSING + CHUNKED)
  const whole = parse([stream])
  t.strictSame(parse(Array.from(stream, (_, at) => stream.subarray(at, at + 1))), whole)
  const cuts = fc.uniqueArray(fc.integer({ min: 1, max: stream.length - 1 }), { maxLength: 20 })
  fc.assert(
    fc.property(cuts, (places) => {
      const edges = [0, ...places.sort((a, b) => a - b), stream.length]
      const pieces = edges.slice(1).map((edge, index) => stream.subarray(edges[index], edge))
      return JSON.stringify(parse(pieces)) === JSON.stringify(whole)
    }),
  )
})

t.test('any bytes are refused or parsed, never thrown at', async () => {
  fc.assert(
    fc.property(fc.array(fc.uint8Array({ maxLength: 200 })), (pieces) => {
      parse([Buffer.from('HTTP/1.1 200 OK\r\n'), ...pieces.map((piece) => Buffer.from(piece))])
    }),
  )
})

t.test('an answer is known to say when to come again, and the next one not to', async (t) => {
  const said: boolean[] = []
  const parser = new ResponseParser({ onAnswer: () => said.push(parser.retryAfter) })
  const shed = (header: string) =>
    `HTTP/1.1 503 Service Unavailable\r\n${header}Content-Length: 0\r\n\r\n`
  const headers = ['Retry-After: 1\r\n', '', 'retry-AFTER:30 \r\n', 'Retry-After:\r\n', 'R: 1\r\n']
  const stream = Buffer.from(headers.map(shed).join(''))
  parser.push(stream, stream.length)
  t.strictSame(said, [true, false, true, false, false])
})

t.test('the parser is idle between answers only', async (t) => {
  const parser = new ResponseParser({ onAnswer: () => {} })
  const bytes = Buffer.from(SIZED)
  t.ok(parser.idle)
  parser.push(bytes, 10)
  t.notOk(parser.idle)
  parser.push(bytes.subarray(10), bytes.length - 15)
  t.notOk(parser.idle)
  parser.push(bytes.subarray(bytes.length - 5), 5)
  t.ok(parser.idle)
  parser.push(bytes, 1)
  parser.reset()
  t.ok(parser.idle)
})
