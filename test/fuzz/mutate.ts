/** Changes inputs at random. */
import type { Random } from '../sim/random.ts'
import { jsonValue } from './grammars/json.ts'
import { isRecord, jsonOf } from './target.ts'

/** Larger ones find no more, and take the time of others. */
const INPUT_BYTES_MAX = 4_000_000
const PIECE_BYTES_MAX = 64

/** Pieces on which parsers decide. */
const TOKENS: readonly string[] = [
  ...['\r\n', '\r\n\r\n', '\n', '\0', ' ', '\t', ':', ',', ';', '=', '&', '%', '%00', '%ff', '+'],
  ...['"', "'", '`', '\\', '\\u0000', '\\ud800', '{', '}', '[', ']', '(', ')', '<', '>', '--'],
  ...['null', 'true', 'NaN', '-Infinity', '1e999', '-0', '9007199254740993', '2147483648'],
  ...['__proto__', 'constructor', 'toString', 'length', '$set', 'batch', 'data=', 'distinct_id'],
  ...['chunked', 'Content-Length: 0\r\n', 'Transfer-Encoding: chunked\r\n', 'gzip', '\x1f\x8b\x08'],
  ...['\ufeff', '\u2028', '\ud83d\ude00', '\xff\xff\xff\xff', '\x00\x00\x00\x00', '\x80', '\x7f'],
]

/** One to eight changes. @param others whole inputs that pieces are taken from. */
export function mutate(random: Random, input: Buffer, others: readonly Buffer[]): Buffer {
  let bytes = input
  for (let left = 1 + random.integer(8); left > 0; left -= 1) bytes = change(random, bytes, others)
  return bytes.subarray(0, INPUT_BYTES_MAX)
}

function change(random: Random, input: Buffer, others: readonly Buffer[]): Buffer {
  const at = random.integer(input.length + 1)
  const length = Math.min(random.integer(PIECE_BYTES_MAX) + 1, input.length - at)
  const before = input.subarray(0, at)
  const piece = input.subarray(at, at + length)
  const after = input.subarray(at + length)
  switch (random.integer(8)) {
    case 0:
      return Buffer.concat([before, after])
    case 1:
      return Buffer.concat([before, ...repeated(random, piece), after])
    case 2:
      return Buffer.concat([before, tokenOf(random), piece, after])
    case 3:
      return Buffer.concat([before, tokenOf(random), after])
    case 4:
      return withByte(random, input, at)
    case 5:
      return Buffer.concat([before, pieceOf(random, others), after])
    case 6:
      return Buffer.concat([before, after, piece])
    default:
      return changedNumber(random, input)
  }
}

function tokenOf(random: Random): Buffer {
  return Buffer.from(random.pick(TOKENS), random.chance(0.5) ? 'utf8' : 'latin1')
}

/** Many now and then: what grows with the square of an input shows then. */
function repeated(random: Random, piece: Buffer): Buffer[] {
  const times = random.chance(0.05) ? random.integer(20_000) : 2 + random.integer(20)
  return Array.from({ length: times }, () => piece)
}

function withByte(random: Random, input: Buffer, at: number): Buffer {
  const changed = Buffer.from(input)
  if (at < changed.length) changed.writeUInt8(random.integer(256), at)
  return changed
}

function pieceOf(random: Random, others: readonly Buffer[]): Buffer {
  if (others.length === 0) return tokenOf(random)
  const other = random.pick(others)
  const at = random.integer(other.length + 1)
  return other.subarray(at, at + random.integer(4 * PIECE_BYTES_MAX))
}

/** One of the numbers that stand in the text becomes another one. */
function changedNumber(random: Random, input: Buffer): Buffer {
  const numbers = [...input.toString('latin1').matchAll(/\d+/g)].slice(0, 1_000)
  if (numbers.length === 0) return input
  const found = random.pick(numbers)
  const others = ['0', '-1', '1', '255', '65536', '4294967296', '1e9', '00', '0x10', '٣']
  return Buffer.concat([
    input.subarray(0, found.index),
    Buffer.from(random.pick(others)),
    input.subarray(found.index + found[0].length),
  ])
}

/** One value within a JSON text becomes another one. Undefined where the input is no JSON. */
export function mutateJson(random: Random, input: Buffer): Buffer | undefined {
  const root: unknown = jsonOf(input.toString())
  if (root === undefined) return undefined
  const places: { holder: Record<string, unknown> | unknown[]; key: string }[] = []
  const collect = (value: unknown): void => {
    if (!isRecord(value) && !Array.isArray(value)) return
    for (const [key, inner] of Object.entries(value)) {
      places.push({ holder: value, key })
      collect(inner)
    }
  }
  collect(root)
  if (places.length === 0) return undefined
  const { holder, key } = random.pick(places)
  if (random.chance(0.15)) Reflect.deleteProperty(holder, key)
  else Reflect.set(holder, key, random.chance(0.3) ? random.pick(places).holder : jsonValue(random))
  try {
    return Buffer.from(JSON.stringify(root))
  } catch {
    return undefined // A value was put within itself.
  }
}
