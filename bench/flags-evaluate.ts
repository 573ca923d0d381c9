/**
 * How long does one distinct id take to evaluate against 20 flags? Prints the machine, the settings
 * and nanoseconds of processor time for each evaluation, with and without rendering of the answer.
 * Other programs on the machine disturb processor time less than wall time.
 * Run: `npx tsx bench/flags-evaluate.ts`.
 */
import { cpus } from 'node:os'
import { projectId } from '../src/core/ids.ts'
import { compileSnapshot } from '../src/flags/compile.ts'
import type { FlagDefinition } from '../src/flags/definition.ts'
import { evaluate } from '../src/flags/evaluate.ts'
import { storedNeeds } from '../src/flags/needs.ts'
import { renderMembers } from '../src/flags/render.ts'

const FLAGS = 20
const DISTINCT_IDS = 10_000
const ROUNDS = 12

function flag(id: number): FlagDefinition {
  const kind = id % 4
  const properties = [
    { key: 'email', type: 'person', operator: 'icontains', value: '@example.com' },
    { key: 'plan', type: 'person', operator: 'exact', value: ['pro', 'team', `plan-${id}`] },
  ]
  const filters = {
    groups: [{ properties: properties.slice(0, kind), rollout_percentage: 20 + id * 3 }],
    multivariate:
      kind === 0
        ? {
            variants: [
              { key: 'control', rollout_percentage: 50 },
              { key: 'test', rollout_percentage: 50 },
            ],
          }
        : null,
    payloads: {},
  }
  return {
    projectId: projectId(1),
    id,
    key: `feature-number-${id}`,
    name: '',
    active: true,
    deleted: false,
    version: 1,
    ensureExperienceContinuity: false,
    bucketingIdentifier: 'distinct_id',
    evaluationRuntime: 'all',
    evaluationContexts: [],
    hasEncryptedPayloads: false,
    filters,
  }
}

const snapshot = compileSnapshot({
  flags: Array.from({ length: FLAGS }, (_, index) => flag(index + 1)),
  cohorts: [],
  groupTypes: new Map(),
  timezone: 'UTC',
})
const stored = { personProperties: { email: 'someone@example.com', plan: 'Team', seats: 5 } }
const requests = Array.from({ length: DISTINCT_IDS }, (_, index) => ({
  distinctId: `user-${index * 7919}`,
}))

function measure(name: string, work: (request: { distinctId: string }) => number): object {
  const rounds: number[] = []
  let kept = 0
  for (let round = 0; round < ROUNDS; round++) {
    const start = process.cpuUsage()
    for (const request of requests) kept += work(request)
    const { user, system } = process.cpuUsage(start)
    rounds.push(((user + system) * 1_000) / requests.length)
  }
  const [best = 0] = rounds.toSorted((a, b) => a - b)
  const middle = rounds.toSorted((a, b) => a - b)[ROUNDS >> 1] ?? 0
  return { name, nsBest: Math.round(best), nsMedian: Math.round(middle), kept }
}

const results = [
  measure('storedNeeds', (request) => Number(storedNeeds(snapshot, request).personProperties)),
  measure('evaluate', (request) => evaluate(snapshot, request, stored, 0).results.length),
  measure(
    'evaluate and render v2',
    (request) => renderMembers('v2', evaluate(snapshot, request, stored, 0)).length,
  ),
  measure(
    'evaluate and render v4',
    (request) => renderMembers('v4', evaluate(snapshot, request, stored, 0)).length,
  ),
]
const machine = { cpu: cpus()[0]?.model, cpus: cpus().length, node: process.version }
const settings = { flags: FLAGS, distinctIds: DISTINCT_IDS, rounds: ROUNDS }
process.stdout.write(`${JSON.stringify({ machine, settings, results }, null, 2)}\n`)
