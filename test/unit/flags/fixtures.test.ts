import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { packageRoot } from '../../../src/core/package-root.ts'
import { bucketOf } from '../../../src/flags/bucketing.ts'
import type { FlagDefinition } from '../../../src/flags/definition.ts'
import { ask, cohort, flag, NOW, oneSet, resultFor, snapshot, valuesOf } from './support.ts'

function fixture(name: string) {
  return JSON.parse(readFileSync(join(packageRoot, 'test', 'fixtures', name), 'utf8'))
}

const hashes = fixture('flag-hash.json')
const matches = fixture('property-match.json')

t.test('buckets equal the golden vectors', async (t) => {
  for (const { prefix, identifier, salt, hash } of hashes.raw_hashes) {
    t.ok(Math.abs(bucketOf(prefix, identifier, salt) - hash) <= hash * 1e-15, prefix + identifier)
  }
  for (const { flag: key, distinct_id, hash, variant_hash } of hashes.cases) {
    t.ok(Math.abs(bucketOf(`${key}.`, distinct_id, '') - hash) <= hash * 1e-15, distinct_id)
    if (variant_hash === undefined) continue
    const bucket = bucketOf(`${key}.`, distinct_id, 'variant')
    t.ok(Math.abs(bucket - variant_hash) <= variant_hash * 1e-15, distinct_id)
  }
})

t.test('golden distinct ids get their golden values', async (t) => {
  for (const { flag: key, distinct_id, expected } of hashes.cases) {
    const compiled = snapshot([flag(1, key, hashes.flags[key].filters)])
    t.equal(
      resultFor(ask(compiled, { distinctId: distinct_id }), key)?.value,
      expected,
      distinct_id,
    )
  }
})

t.test('single filters match as the vectors say', async (t) => {
  for (const { id, filter, person, now, zone, expected } of matches.property_cases) {
    const compiled = snapshot([flag(1, 'f', oneSet([filter]))], [], new Map(), zone)
    const at = now === undefined ? NOW : Date.parse(now)
    const sent = ask(compiled, { personProperties: person }, {}, at)
    t.equal(resultFor(sent, 'f')?.value, expected, `${id} sent with the request`)
    const stored = ask(compiled, {}, { personProperties: person }, at)
    t.equal(resultFor(stored, 'f')?.value, expected, `${id} stored`)
  }
})

type Row = { key: string; active: boolean; deleted?: boolean; filters: unknown }

t.test('whole evaluations come out as the vectors say', async (t) => {
  for (const { id, flags, input, expected } of matches.flag_cases) {
    const rows: FlagDefinition[] = flags.map(
      (row: Row & { ensure_experience_continuity?: boolean }, index: number) =>
        flag(index + 1, row.key, row.filters, {
          active: row.active,
          deleted: row.deleted ?? false,
          ensureExperienceContinuity: row.ensure_experience_continuity ?? false,
        }),
    )
    const cohorts = Object.entries<{ is_static?: boolean }>(input.cohorts ?? {}).map(([key, row]) =>
      cohort(Number(key), row, { isStatic: row.is_static ?? false }),
    )
    const types = Object.entries<string>(input.group_type_mapping ?? {})
    const compiled = snapshot(rows, cohorts, new Map(types.map(([at, name]) => [Number(at), name])))
    const answer = ask(
      compiled,
      {
        distinctId: String(input.distinct_id),
        personProperties: input.person_properties,
        groups: input.groups,
      },
      {
        personProperties: input.stored_person_properties,
        groupProperties: new Map(Object.entries(input.stored_group_properties ?? {})),
        hashKeyOverrides: new Map(Object.entries(input.hash_key_overrides ?? {})),
        staticCohortIds: new Set(input.static_cohort_ids ?? []),
      },
    )
    t.same(valuesOf(answer), expected.featureFlags, id)
    const payloads = answer.results.filter((result) => result.payload !== undefined)
    const texts = Object.fromEntries(payloads.map((result) => [result.key, result.payload]))
    t.same(texts, expected.featureFlagPayloads, `${id} payloads`)
    for (const [key, reason] of Object.entries<object>(expected.reasons ?? {})) {
      const { code, conditionIndex: condition_index } = resultFor(answer, key)?.reason ?? {}
      t.match({ code, condition_index }, reason, `${id} reason`)
    }
  }
})
