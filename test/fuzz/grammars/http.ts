/** Bytes of HTTP connections: requests, and what is nearly one. */
import type { Random } from '../../sim/random.ts'
import { PROJECT_KEY, READER_KEY } from '../keys.ts'
import { jsonText, jsonValue } from './json.ts'

const METHODS = [
  'GET',
  'POST',
  'PUT',
  'PATCH',
  'DELETE',
  'OPTIONS',
  'HEAD',
  'CONNECT',
  'TRACE',
  'get',
  'A',
  '',
]
const PATHS: readonly string[] = [
  ...['/capture/', '/batch/', '/decide/?v=2', '/flags', '/e/?data=eyJhIjoxfQ==', '/', '//', '*'],
  ...['/api/projects/', '/api/projects/1/feature_flags/', '/api/projects/1/events/?limit=1'],
  ...[
    '/api/projects/@current/events/?after=x&properties=%5B%5D',
    '/api/users/@me/',
    '/api/%2e%2e/',
  ],
  ...['/api/organizations/@current/', '/api/projects/1/persons/', '/api/projects/1/activity_log/'],
  ...[
    '/static/array.js',
    '/array/x/config',
    '/ofrep/v1/evaluate/flags/a%00b',
    '/api/surveys/?token=',
  ],
  ...[
    'http://x/capture/',
    '/%',
    '/%00',
    '/\xff',
    '/a b',
    `/${'a'.repeat(9_000)}`,
    '/api/schema/?',
    '/?&&=',
  ],
  ...[
    '/api/projects/99999999999999999999/',
    '/api/projects/-1/',
    '/api/projects/1e1/',
    '/api/projects/٣/',
  ],
  ...['/api/projects/1/events/values/?key=%00', '/api/projects/1/feature_flags/%F0%9F/?format=csv'],
]
const HEADERS: readonly string[] = [
  ...[
    'Host: x',
    'Host:',
    'Host: a\r\nHost: b',
    'Connection: close',
    'Connection: keep-alive, upgrade',
  ],
  ...[
    'Upgrade: h2c',
    'Upgrade: websocket',
    'Expect: 100-continue',
    'Expect: nothing',
    'Accept: text/csv',
  ],
  ...['Content-Length: -1', 'Content-Length: 1, 1', 'Content-Length: 0x10', 'Content-Length: 1e1'],
  ...[
    'Content-Length: 99999999999999999999',
    'Content-Length : 3',
    'Content-Length: +3',
    'TE: trailers',
  ],
  ...[
    'Transfer-Encoding: chunked',
    'Transfer-Encoding: gzip, chunked',
    'Transfer-Encoding: xchunked',
  ],
  ...[
    'transfer-encoding : chunked',
    'Transfer-Encoding: chunked, identity',
    ' folded: x',
    'A\0B: c',
  ],
  ...[
    'Origin: null',
    'Origin: http://x',
    'Accept-Encoding: gzip;q=NaN',
    'If-None-Match: *',
    'Range: bytes=-',
  ],
  ...[
    'X-Forwarded-For: ,,::1',
    'Content-Encoding: gzip',
    'Content-Encoding: deflate, lz64',
    'Cookie: a',
  ],
  ...[
    'Content-Type: application/json',
    'Content-Type: multipart/form-data',
    'Content-Type: ;;',
    'X:',
  ],
  ...[
    `Authorization: Bearer ${READER_KEY}`,
    `Authorization: Bearer ${PROJECT_KEY}`,
    'Authorization: Basic =',
  ],
  ...[
    'Access-Control-Request-Headers: \x01',
    'Access-Control-Request-Method: POST',
    'NoColon',
    ': empty',
  ],
  ...[
    `Long: ${'b'.repeat(20_000)}`,
    'Accept: */*;q=1, text/html;q=0.9, */json',
    'If-Modified-Since: never',
  ],
]

export function makeHttp(random: Random): Buffer {
  const requests = Array.from({ length: 1 + random.integer(3) }, () => request(random))
  return Buffer.concat(requests)
}

function request(random: Random): Buffer {
  const body = random.chance(0.6) ? bodyText(random) : ''
  const lines = Array.from({ length: random.integer(5) }, () => random.pick(HEADERS))
  const framing = random.chance(0.75)
    ? body === '' && random.chance(0.5)
      ? []
      : [
          `Content-Length: ${Buffer.byteLength(body) + (random.chance(0.1) ? random.integer(5) - 2 : 0)}`,
        ]
    : ['Transfer-Encoding: chunked']
  const version = random.chance(0.92)
    ? 'HTTP/1.1'
    : random.pick(['HTTP/1.0', 'HTTP/2.0', 'HTTP/9', '', 'http/1.1'])
  const end = random.chance(0.95) ? '\r\n' : random.pick(['\n', '\r', '\r\r\n'])
  const first = `${methodOf(random)} ${random.pick(PATHS)} ${version}`
  const host = random.chance(0.9) ? ['Host: x'] : []
  const head = [first, ...host, ...framing, ...lines, '', ''].join(end)
  const sent = framing[0] === 'Transfer-Encoding: chunked' ? chunks(random, body) : body
  return Buffer.concat([Buffer.from(head, 'latin1'), Buffer.from(sent)])
}

function methodOf(random: Random): string {
  return random.chance(0.6) ? random.pick(['GET', 'POST']) : random.pick(METHODS)
}

function bodyText(random: Random): string {
  if (random.chance(0.3)) return jsonText(random)
  const event = {
    api_key: PROJECT_KEY,
    event: 'fuzz',
    distinct_id: 'ann',
    properties: jsonValue(random),
  }
  return JSON.stringify(random.chance(0.7) ? event : jsonValue(random))
}

function chunks(random: Random, body: string): string {
  const size = Buffer.byteLength(body).toString(16)
  const given = random.chance(0.8)
    ? size
    : random.pick(['-1', 'ffffffffffffffff', '1;a="b', 'g', '', '0x1', ' 3'])
  const last = random.chance(0.9)
    ? '0\r\n\r\n'
    : random.pick(['0\r\n', '0\r\nA: b\r\n\r\n', '00\r\n\r\n', ''])
  return `${given}\r\n${body}\r\n${last}`
}
