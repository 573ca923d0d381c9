/** JSON values as no client would send them. */
import type { Random } from '../../sim/random.ts'

const NAMES: readonly string[] = [
  ...['event', 'distinct_id', 'properties', '$set', '$set_once', '$unset', '$groups', 'timestamp'],
  ...['uuid', 'offset', 'sent_at', 'api_key', 'token', 'batch', '$anon_distinct_id', 'alias'],
  ...['$elements', '$elements_chain', '$ip', 'ip', '$group_type', '$group_key', '$group_set'],
  ...['person_properties', 'group_properties', 'groups', 'flag_keys_to_evaluate', 'length'],
  ...['__proto__', 'constructor', 'hasOwnProperty', 'toJSON', '', ' ', '\0', 'a.b', '\ud800'],
]
const TEXTS: readonly string[] = [
  ...['', ' ', 'a', '0', 'null', 'NaN', '\0', '\ud800', '\udc00x', '😀', '\ufeff', '\u202e', 'Ünï'],
  ...['$identify', '$create_alias', '$merge_dangerously', '$groupidentify', '$pageview', '$set'],
  ...['2024-02-30', '2021-W43-5', '9999-12-31T23:59:60Z', '-271821-04-20', '+275760-09-13T00:00Z'],
  ...['1e400', '00000000-0000-0000-0000-000000000000', '01890000-0000-7000-8000-000000000001'],
  ...['::1', '1.2.3.4:5', '[::]', "'); drop table events; --", '%s%n', '$x', '<script>', '../..'],
]
const NUMBERS: readonly number[] = [
  ...[0, -0, 1, -1, 0.1, 2 ** 31, -(2 ** 31) - 1, 2 ** 53, 2 ** 63, 1e308, -1e308, 5e-324],
  ...[1_700_000_000, 1_700_000_000_000, 253_402_300_800_000, 8.64e15, -8.64e15, 65_536, 1e21],
]

export function jsonText(random: Random): string {
  if (random.chance(0.01))
    return random.pick(['a', '\0', '😀', '"', '\\']).repeat(random.integer(30_000))
  if (random.chance(0.7)) return random.pick(TEXTS)
  const points = Array.from({ length: random.integer(12) }, () => random.integer(0x1_0000))
  return String.fromCharCode(...points)
}

export function jsonName(random: Random): string {
  return random.chance(0.8) ? random.pick(NAMES) : jsonText(random)
}

/** @param depth of objects and lists that may still be opened. */
export function jsonValue(random: Random, depth = 4): unknown {
  const kind = random.integer(depth > 0 ? 8 : 5)
  switch (kind) {
    case 0:
      return null
    case 1:
      return random.chance(0.5)
    case 2:
      return random.pick(NUMBERS)
    case 3:
    case 4:
      return jsonText(random)
    case 5:
      return random.chance(0.02)
        ? nested(random)
        : listOf(random, () => jsonValue(random, depth - 1))
    default:
      return jsonObject(random, depth)
  }
}

export function jsonObject(random: Random, depth = 3): Record<string, unknown> {
  // `fromEntries` makes `__proto__` a name like others.
  return Object.fromEntries(
    listOf(random, () => [jsonName(random), jsonValue(random, depth - 1)] as const),
  )
}

export function listOf<T>(random: Random, make: () => T, lengthMax = 6): T[] {
  return Array.from({ length: random.integer(lengthMax) }, make)
}

/** Lists within lists, deeper than any parser that calls itself. */
function nested(random: Random): unknown {
  let value: unknown = null
  for (let left = random.integer(2_000); left > 0; left -= 1)
    value = random.chance(0.5) ? [value] : { a: value }
  return value
}
