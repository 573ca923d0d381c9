/** gRPC calls: whole requests of any method, their framing, and bytes of HTTP/2 connections. */
import protobuf from 'protobufjs'
import { methods } from '../../../src/wire/proto/proto.ts'
import type { Random } from '../../sim/random.ts'
import { framed } from '../../support/grpc/raw-calls.ts'
import { PROJECT_KEY, READER_KEY } from '../keys.ts'
import { toInput } from '../target.ts'
import { jsonText, listOf } from './json.ts'

const PATHS = [
  '/',
  '',
  '/sluice.v1.X/Y',
  '/grpc.health.v1.Health/Check',
  '/sluice.v1.IngestService/',
  '/%/a',
]
const TIMEOUTS = ['', '1S', '1n', '-1S', '99999999H', '999999999S', 'S', '1x']

export function makeGrpc(random: Random): Buffer {
  return random.chance(0.2) ? toInput({ kind: 'frames' }, frames(random)) : call(random)
}

function call(random: Random): Buffer {
  const method = random.pick(methods())
  const message = random.chance(0.6) ? typed(random, method.request, 4) : wire(random, 4)
  const head = {
    kind: 'call',
    path: random.chance(0.95) ? method.path : random.pick(PATHS),
    authorization: random.pick([`Bearer ${PROJECT_KEY}`, `Bearer ${READER_KEY}`, 'Bearer', '']),
    timeout: random.chance(0.1) ? random.pick(TIMEOUTS) : '',
    encoding: random.chance(0.05) ? random.pick(['gzip', 'deflate', 'identity', 'x']) : '',
    type: random.chance(0.95)
      ? 'application/grpc'
      : random.pick(['application/grpc+json', 'text/html']),
  }
  const one = framed(message, random.chance(0.95) ? 0 : random.integer(256))
  return toInput(
    head,
    random.chance(0.9) ? one : Buffer.concat([one, framed(message, 0, random.bits())]),
  )
}

/** A message with fields of its type, within one another. */
function typed(random: Random, type: protobuf.Type, depth: number): Buffer {
  const entries = type.fieldsArray
    .filter(() => random.chance(0.6))
    .map((field): [string, unknown] => {
      const one = () => fieldValue(random, field.resolve(), depth)
      return [field.name, field.repeated ? listOf(random, one, 4) : field.map ? {} : one()]
    })
  try {
    return Buffer.from(type.encode(type.fromObject(Object.fromEntries(entries))).finish())
  } catch {
    return wire(random, 3) // A value that the type cannot hold.
  }
}

function fieldValue(random: Random, field: protobuf.Field, depth: number): unknown {
  const { type, resolvedType } = field
  if (type === 'string') {
    return random.chance(0.5) ? random.pick(['1', '@current', 'a', '{}', '[]']) : jsonText(random)
  }
  if (type === 'bool') return random.chance(0.5)
  if (type === 'bytes') return Buffer.from(jsonText(random))
  if (!(resolvedType instanceof protobuf.Type))
    return random.pick([0, 1, -1, 2 ** 31 - 1, random.bits()])
  if (depth === 0) return {}
  return resolvedType.decode(typed(random, resolvedType, depth - 1))
}

/** Fields of any number and type, within one another. */
function wire(random: Random, depth: number): Buffer {
  const fields = listOf(random, () => {
    const number = random.chance(0.9) ? 1 + random.integer(16) : random.bits()
    const type = random.pick([0, 1, 2, 2, 2, 5, 3, 4, 7])
    const tag = varint(BigInt(number) * 8n + BigInt(type))
    if (type === 0)
      return Buffer.concat([tag, varint(BigInt(random.bits()) << BigInt(random.integer(36)))])
    if (type === 1) return Buffer.concat([tag, noise(random, 8)])
    if (type === 5) return Buffer.concat([tag, noise(random, 4)])
    if (type !== 2) return tag
    const inner =
      depth > 0 && random.chance(0.6) ? wire(random, depth - 1) : Buffer.from(jsonText(random))
    const length = random.chance(0.95) ? BigInt(inner.length) : BigInt(random.bits())
    return Buffer.concat([tag, varint(length), inner])
  })
  return Buffer.concat(fields)
}

function varint(value: bigint): Buffer {
  const bytes: number[] = []
  for (let rest = value; ; rest >>= 7n) {
    if (rest < 128n) return Buffer.from([...bytes, Number(rest)])
    bytes.push(Number(rest & 127n) | 128)
  }
}

function noise(random: Random, length: number): Buffer {
  return Buffer.from(Array.from({ length }, () => random.integer(256)))
}

const PREFACE = Buffer.from('PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n')

/** A connection: the preface, settings, then frames of any type. */
function frames(random: Random): Buffer {
  const first = random.chance(0.95) ? [PREFACE, frame(4, 0, 0, Buffer.alloc(0))] : []
  const others = Array.from({ length: 1 + random.integer(random.chance(0.05) ? 500 : 12) }, () =>
    anyFrame(random),
  )
  return Buffer.concat([...first, ...others])
}

function anyFrame(random: Random): Buffer {
  const stream = random.pick([0, 1, 1, 1, 3, 2, 0x7fff_ffff])
  const type = random.pick([0, 0, 1, 1, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 255])
  const payload =
    type === 1 || type === 9 ? headerBlock(random) : noise(random, random.pick([0, 4, 5, 6, 8, 40]))
  const flags = random.chance(0.7) ? random.pick([0, 1, 4, 5]) : random.integer(256)
  return frame(
    type,
    flags,
    stream,
    payload,
    random.chance(0.97) ? payload.length : random.integer(0xff_ffff),
  )
}

function frame(
  type: number,
  flags: number,
  stream: number,
  payload: Buffer,
  length = payload.length,
): Buffer {
  const head = Buffer.alloc(9)
  head.writeUIntBE(length, 0, 3)
  head.writeUInt8(type, 3)
  head.writeUInt8(flags, 4)
  head.writeUInt32BE(stream, 5)
  return Buffer.concat([head, payload])
}

/** Header fields written literally, without a table. */
function headerBlock(random: Random): Buffer {
  if (random.chance(0.1)) return noise(random, random.integer(60))
  const fields: (readonly [string, string])[] = [
    [':method', 'POST'],
    [':scheme', 'http'],
    [':path', random.pick(methods()).path],
    ['content-type', 'application/grpc'],
    ['te', 'trailers'],
    ['authorization', `Bearer ${PROJECT_KEY}`],
    ...listOf(
      random,
      () =>
        [
          random.pick(['', ':path', 'A', 'grpc-timeout', 'x-bin', 'host']),
          jsonText(random),
        ] as const,
      3,
    ),
  ]
  const kept = fields.filter(() => random.chance(0.95))
  return Buffer.concat(
    kept.flatMap(([name, value]) => [Buffer.from([0]), literal(name), literal(value)]),
  )
}

function literal(text: string): Buffer {
  const bytes = Buffer.from(text).subarray(0, 126)
  return Buffer.concat([Buffer.from([bytes.length]), bytes])
}
