/** Flags that are likely saved, and questions about them: every operator, values of every kind. */
import type { Random } from '../../sim/random.ts'
import { jsonName, jsonObject, jsonText, jsonValue, listOf } from './json.ts'
import { NUMBER_TEXTS, OPERATORS, PATTERNS } from './operators.ts'

const NAMES = ['a', 'b', 'Ünï', '😀', '$initial_a', 'a.b', ' ', 'toString', '__proto__']
const DATES = ['-1d', '-99999999999y', '2024-01-01', '2024-02-30T25:00:00+14:00', '1700000000']
const VERSIONS = ['1.2.3', '1', '*', '1.x', '999999999999999999999.0.0', '1.2.3-a.1+b', 'v1.2', '']
const SHARES = [0, 1e-9, 1e-300, 33.333_333_333, 50, 99.999_999_999, 100]
const ROLLOUTS = [...SHARES, null, null, null]

/** A JSON object: the filters of a flag, what else is saved with it, and who asks. */
export function makeSavedFlag(random: Random): Buffer {
  const keys = variantKeys(random)
  const saved = {
    filters: random.chance(0.95) ? filters(random, keys) : jsonValue(random),
    ...(random.chance(0.3) ? { name: jsonText(random) } : {}),
    ...(random.chance(0.1) ? { active: random.pick([true, false, null, 1]) } : {}),
    ...(random.chance(0.1) ? { ensure_experience_continuity: random.chance(0.5) } : {}),
    ...(random.chance(0.1) ? { [jsonName(random)]: jsonValue(random) } : {}),
  }
  const question = {
    distinct_id: random.chance(0.9) ? `f${jsonText(random)}` : jsonValue(random, 1),
    person_properties: random.chance(0.95) ? properties(random) : jsonValue(random),
    groups: random.chance(0.3) ? jsonValue(random) : {},
    group_properties: random.chance(0.2) ? jsonValue(random) : {},
  }
  return Buffer.from(JSON.stringify({ saved, question }))
}

/** None for two thirds of flags, which are on or off. */
function variantKeys(random: Random): readonly string[] {
  if (random.chance(0.65)) return []
  const keys = listOf(random, () => jsonText(random), 5).filter((key) => key !== '')
  return [...new Set(['control', ...keys])]
}

function filters(random: Random, keys: readonly string[]): unknown {
  return {
    groups: listOf(random, () => set(random, keys), random.chance(0.02) ? 300 : 5),
    ...(keys.length === 0 ? {} : { multivariate: { variants: variants(random, keys) } }),
    ...(random.chance(0.5) ? { payloads: payloads(random, keys) } : {}),
    ...(random.chance(0.1) ? { aggregation_group_type_index: random.pick([0, 1, 4, null]) } : {}),
    ...(random.chance(0.1) ? { [jsonName(random)]: deep(random) } : {}),
  }
}

/** Shares of 100 in all, now and then of less. */
function variants(random: Random, keys: readonly string[]): unknown {
  const [first, ...others] = keys
  const share = random.chance(0.5) ? Math.floor(100 / keys.length) : random.between(0, 100) / 50
  const rest = random.chance(0.95) ? 100 - share * others.length : random.pick(SHARES)
  return [
    { key: first, name: jsonText(random), rollout_percentage: rest },
    ...others.map((key) => ({ key, rollout_percentage: share })),
  ]
}

function payloads(random: Random, keys: readonly string[]): unknown {
  const value = () => (random.chance(0.5) ? JSON.stringify(deep(random)) : deep(random))
  const names = keys.length === 0 ? ['true'] : keys.filter(() => random.chance(0.7))
  // `fromEntries` makes `__proto__` a name like others.
  return Object.fromEntries(names.map((name) => [name, value()]))
}

function set(random: Random, keys: readonly string[]): unknown {
  return {
    properties: listOf(random, () => filter(random), random.chance(0.02) ? 200 : 4),
    rollout_percentage: random.pick(ROLLOUTS),
    ...(random.chance(0.3) && keys.length > 0 ? { variant: random.pick([...keys, null]) } : {}),
  }
}

function filter(random: Random): unknown {
  const operator = random.pick(OPERATORS)
  const type = random.chance(0.9) ? 'person' : random.pick(['event', 'group', 'cohort', 'flag'])
  return {
    key: random.chance(0.8) ? random.pick(NAMES) : jsonName(random),
    ...{ type, operator, value: type === 'cohort' ? 1 : filterValue(random, operator) },
    ...(random.chance(0.1) ? { group_type_index: random.integer(5) } : {}),
  }
}

function filterValue(random: Random, operator: string): unknown {
  if (random.chance(0.05)) return deep(random)
  if (operator.includes('regex')) return random.pick(PATTERNS)
  if (operator.includes('date')) return random.pick(DATES)
  if (operator.includes('semver')) return random.pick(VERSIONS)
  if (operator.includes('between')) return [scalar(random), scalar(random)]
  return random.chance(0.4) ? listOf(random, () => scalar(random), 40) : scalar(random)
}

/** Values of persons' properties in the same places. */
function properties(random: Random): unknown {
  const value = () =>
    random.chance(0.2)
      ? random.pick([...DATES, ...VERSIONS, 'a'.repeat(random.integer(5_000))])
      : random.chance(0.7)
        ? scalar(random)
        : deep(random)
  const some = NAMES.filter(() => random.chance(0.5)).map((name) => [name, value()] as const)
  return Object.fromEntries([...some, ...Object.entries(jsonObject(random))])
}

function scalar(random: Random): unknown {
  switch (random.integer(5)) {
    case 0:
      return random.pick(NUMBER_TEXTS)
    case 1:
      return Number(random.pick(NUMBER_TEXTS))
    case 2:
      return random.pick([true, false, null])
    default:
      return jsonText(random)
  }
}

/** Lists and objects within one another. */
function deep(random: Random): unknown {
  let value = jsonValue(random, 2)
  const depth = random.pick([0, 1, 20, 200])
  for (let left = random.integer(depth + 1); left > 0; left--) {
    value = random.chance(0.5) ? [value] : { [jsonName(random)]: value }
  }
  return value
}
