/** Bodies of public calls, in each encoding and dialect, some of them encoded twice. */
import { deflateRawSync, deflateSync, gzipSync } from 'node:zlib'
import lzString from 'lz-string'
import type { Random } from '../../sim/random.ts'
import { PROJECT_KEY } from '../keys.ts'
import { toInput } from '../target.ts'
import { jsonName, jsonObject, jsonText, jsonValue, listOf } from './json.ts'

const PATHS: readonly string[] = [
  ...['/capture/', '/batch/', '/e/', '/i/v0/e/', '/i/v0/ai/batch/', '/s/', '/track/', '/import/'],
  ...['/engage/', '/groups/', '/v1/batch', '/v1/track', '/v1/identify', '/v1/page', '/v1/group'],
  ...['/i/v1/analytics/events', '/decide/?v=2', '/decide/?v=3', '/flags/?v=2', '/decide/?v=x'],
  ...['/ofrep/v1/evaluate/flags', '/ofrep/v1/evaluate/flags/some'],
]
const QUERIES = [
  'compression=gzip',
  'compression=lz64',
  'compression=base64',
  '_=1',
  'ip=1',
  'v=%',
  'data=x',
]
const TYPES: readonly string[] = [
  ...['application/json', 'text/plain', '', 'application/json; charset=utf-16', 'application/grpc'],
  ...[
    'application/x-www-form-urlencoded',
    'multipart/form-data; boundary=b',
    'multipart/form-data',
  ],
]

/** A whole input: its head names path, query and headers. */
export function makeBody(random: Random): Buffer {
  const payload = Buffer.from(payloadText(random))
  const { bytes, type, encoding } = encoded(random, payload)
  const path = random.pick(PATHS)
  const query = random.chance(0.4) ? random.pick(QUERIES) : ''
  const mark = query === '' ? '' : path.includes('?') ? '&' : '?'
  return toInput(
    {
      path: `${path}${mark}${query}`,
      type: random.chance(0.8) ? type : random.pick(TYPES),
      encoding: random.chance(0.8) ? encoding : random.pick(['gzip', 'deflate', 'br', 'x, gzip']),
      authorization: random.pick([
        '',
        `Bearer ${PROJECT_KEY}`,
        `Basic ${basic(PROJECT_KEY)}`,
        'Basic %',
      ]),
    },
    bytes,
  )
}

function basic(name: string): string {
  return Buffer.from(`${name}:`).toString('base64')
}

function payloadText(random: Random): string {
  if (random.chance(0.05))
    return random.pick(['', 'null', '{}', '[]', '"x"', '{', 'NaN', '[[[', 'undefined'])
  const text = JSON.stringify(payload(random))
  return random.chance(0.1) ? text.replace(/:(null|\d+)/, ':NaN').replace(/,/, ',,') : text
}

function payload(random: Random): unknown {
  const events = listOf(random, () => event(random), random.chance(0.02) ? 3_000 : 6)
  switch (random.integer(6)) {
    case 0:
      return { api_key: PROJECT_KEY, batch: events, sent_at: jsonText(random) }
    case 1:
      return {
        writeKey: PROJECT_KEY,
        batch: listOf(random, () => segment(random)),
        sentAt: jsonText(random),
      }
    case 2:
      return events
    case 3:
      return { token: PROJECT_KEY, ...question(random) }
    case 4:
      return { context: jsonObject(random), ...segment(random) }
    default:
      return { api_key: PROJECT_KEY, ...event(random) }
  }
}

function event(random: Random): Record<string, unknown> {
  return {
    event: random.chance(0.7) ? jsonText(random) : jsonValue(random),
    distinct_id: random.chance(0.7) ? 'ann' : jsonValue(random),
    properties: random.chance(0.8)
      ? { token: PROJECT_KEY, ...jsonObject(random) }
      : jsonValue(random),
    ...(random.chance(0.3) ? { $set: jsonValue(random) } : {}),
    ...(random.chance(0.5) ? { [jsonName(random)]: jsonValue(random) } : {}),
  }
}

function segment(random: Random): Record<string, unknown> {
  const type = random.pick([
    'track',
    'identify',
    'page',
    'screen',
    'alias',
    'group',
    jsonText(random),
  ])
  const userId = random.chance(0.7) ? 'ann' : jsonValue(random)
  const traits = jsonValue(random)
  return {
    type,
    userId,
    event: jsonText(random),
    messageId: jsonValue(random),
    traits,
    ...jsonObject(random),
  }
}

function question(random: Random): Record<string, unknown> {
  return {
    distinct_id: random.chance(0.8) ? 'ann' : jsonValue(random),
    groups: jsonValue(random),
    person_properties: jsonValue(random),
    group_properties: jsonValue(random),
    flag_keys_to_evaluate: jsonValue(random),
    [jsonName(random)]: jsonValue(random),
  }
}

type Encoded = { readonly bytes: Buffer; readonly type: string; readonly encoding: string }

function encoded(random: Random, payload: Buffer): Encoded {
  const json = 'application/json'
  switch (random.integer(9)) {
    case 0:
      return { bytes: gzipSync(payload), type: 'text/plain', encoding: 'gzip' }
    case 1:
      return { bytes: deflate(random, payload), type: json, encoding: 'deflate' }
    case 2:
      return { bytes: Buffer.from(lz(payload)), type: 'text/plain', encoding: 'lz64' }
    case 3:
      return {
        bytes: form(random, payload),
        type: 'application/x-www-form-urlencoded',
        encoding: '',
      }
    case 4:
      return { bytes: multipart(payload), type: 'multipart/form-data; boundary=b', encoding: '' }
    case 5:
      return { bytes: Buffer.from(payload.toString('base64')), type: 'text/plain', encoding: '' }
    case 6:
      // Encoded twice, of which servers undo one.
      return { bytes: gzipSync(encoded(random, payload).bytes), type: json, encoding: 'gzip' }
    case 7:
      return random.chance(0.03) ? bomb(random) : { bytes: payload, type: json, encoding: '' }
    default:
      return { bytes: payload, type: json, encoding: '' }
  }
}

function lz(payload: Buffer): string {
  return lzString.compressToBase64(payload.toString())
}

function deflate(random: Random, payload: Buffer): Buffer {
  return random.chance(0.5) ? deflateSync(payload) : deflateRawSync(payload)
}

function form(random: Random, payload: Buffer): Buffer {
  const data = random.chance(0.5) ? payload.toString('base64') : lz(payload)
  const compression = random.pick(['', '&compression=lz64', '&compression=base64', '&compression='])
  return Buffer.from(`data=${encodeURIComponent(data)}${compression}&api_key=${PROJECT_KEY}`)
}

function multipart(payload: Buffer): Buffer {
  const head = '--b\r\nContent-Disposition: form-data; name="data"\r\n\r\n'
  return Buffer.concat([Buffer.from(head), payload, Buffer.from('\r\n--b--\r\n')])
}

/** A few bytes that become many. */
function bomb(random: Random): Encoded {
  const piece = random.pick(['[', '{"a":', ' ', '0,', '"\\u0000"', '[],', '{"event":"a"},'])
  const bytes = gzipSync(Buffer.from(`[${piece.repeat(random.integer(4_000_000))}]`), { level: 1 })
  return { bytes, type: 'application/json', encoding: 'gzip' }
}
