/** Flags with their cohorts, and who asks about them. */
import type { Random } from '../../sim/random.ts'
import { jsonName, jsonObject, jsonText, jsonValue, listOf } from './json.ts'
import { NUMBER_TEXTS, OPERATORS, PATTERNS } from './operators.ts'

/** A JSON object of flags, cohorts and a request. */
export function makeFlag(random: Random): Buffer {
  const flag = {
    filters: random.chance(0.95) ? filters(random) : jsonValue(random),
    other: random.chance(0.5) ? filters(random) : {},
    cohort: random.chance(0.9) ? cohort(random, random.chance(0.05) ? 40 : 3) : jsonValue(random),
    request: {
      distinctId: jsonText(random),
      groups: random.chance(0.8) ? { company: jsonText(random) } : jsonValue(random),
      personProperties: random.chance(0.9) ? properties(random) : jsonValue(random),
      groupProperties: { company: properties(random) },
    },
  }
  return Buffer.from(JSON.stringify(flag))
}

function filters(random: Random): unknown {
  return {
    groups: listOf(random, () => ({
      properties: listOf(random, () => filter(random), 5),
      rollout_percentage: random.pick([0, 100, 50.5, null, -1, 101, '50']),
      variant: random.pick([null, 'a', 'nothing', jsonText(random)]),
    })),
    multivariate: random.chance(0.5)
      ? {
          variants: listOf(
            random,
            () => ({ key: jsonText(random), rollout_percentage: random.pick([0, 50, 100, 1e-9]) }),
            4,
          ),
        }
      : jsonValue(random, 1),
    payloads: random.chance(0.3) ? jsonObject(random) : {},
    aggregation_group_type_index: random.chance(0.1) ? random.pick([0, 1, 4, 5, -1, 0.5]) : null,
    super_groups: random.chance(0.1) ? jsonValue(random) : undefined,
    holdout_groups: random.chance(0.1) ? jsonValue(random) : undefined,
    [jsonName(random)]: jsonValue(random),
  }
}

function filter(random: Random): unknown {
  const operator = random.chance(0.9) ? random.pick(OPERATORS) : jsonValue(random, 1)
  const type = random.pick([
    'person',
    'person',
    'person',
    'group',
    'cohort',
    'flag',
    'event',
    jsonText(random),
  ])
  const value = type === 'cohort' ? 1 : filterValue(random, String(operator))
  const key =
    type === 'flag'
      ? random.pick([1, 2, '2', 'other'])
      : random.pick(['a', 'b', '$initial_a', jsonName(random)])
  return { key, value, operator, type, group_type_index: 0, negation: random.chance(0.2) }
}

function filterValue(random: Random, operator: string): unknown {
  if (operator.includes('regex'))
    return random.chance(0.8) ? random.pick(PATTERNS) : jsonText(random)
  if (operator.includes('date'))
    return random.pick(['-1d', '-99999999999y', '2024-01-01', '1e9', 'x', jsonText(random)])
  if (operator.includes('semver'))
    return random.pick(['1.2.3', '1', '*', '1.x', '999999999999999999999.0.0', '1.2.3-a+b', ''])
  if (operator.includes('between') || random.chance(0.2))
    return listOf(random, () => random.pick(NUMBER_TEXTS), 4)
  return random.chance(0.3) ? listOf(random, () => jsonText(random), 40) : jsonValue(random, 2)
}

function cohort(random: Random, depth: number): unknown {
  const one = () => (depth > 0 && random.chance(0.3) ? cohort(random, depth - 1) : filter(random))
  return { type: random.pick(['AND', 'OR', 'x']), values: listOf(random, one) }
}

function properties(random: Random): unknown {
  const text = () =>
    random.chance(0.2)
      ? 'a'.repeat(random.integer(5_000))
      : random.chance(0.2)
        ? random.pick(NUMBER_TEXTS)
        : jsonText(random)
  return { a: random.chance(0.7) ? text() : jsonValue(random), b: text(), ...jsonObject(random) }
}
