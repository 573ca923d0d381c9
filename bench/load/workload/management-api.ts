/** Calls of the management API that benches make: flags, and counts of stored events. */
import { AppError } from '../../../src/core/code.ts'
import { isObject } from '../../../src/core/json.ts'

/** One project under load, with the access to its management API where that was given. */
export type BenchProject = {
  readonly apiKey: string
  readonly projectId: number | undefined
  readonly personalApiKey: string | undefined
}

/** A project whose management API can be called. */
export type ManagedProject = { readonly projectId: number; readonly personalApiKey: string }

export function isManaged(project: BenchProject): project is BenchProject & ManagedProject {
  return project.projectId !== undefined && project.personalApiKey !== undefined
}

const REQUEST_MS_MAX = 15_000
const FLAGS_LISTED_MAX = 1_000

/** Exact number of stored events of that name. @throws {AppError} when the API does not say. */
export async function countEvents(
  baseUrl: string,
  project: ManagedProject,
  event: string,
): Promise<number> {
  const query = new URLSearchParams({ event, limit: '1' })
  const path = `/api/projects/${project.projectId}/events/?${query}`
  const { status, body } = await callManagement(baseUrl, project, 'GET', path)
  const count = isObject(body) ? body['count'] : undefined
  if (status !== 200 || typeof count !== 'number') {
    throw new AppError('unavailable', `reading events back answered ${status}`)
  }
  return count
}

/**
 * Creates the flags `bench-flag-1` to `bench-flag-N` where they are missing, and answers how many
 * active flags the project has in all: other flags affect the figures too.
 * @throws {AppError} when a flag cannot be created.
 */
export async function ensureFlags(
  baseUrl: string,
  project: ManagedProject,
  count: number,
): Promise<number> {
  const path = `/api/projects/${project.projectId}/feature_flags/`
  const listed = await callManagement(baseUrl, project, 'GET', `${path}?limit=${FLAGS_LISTED_MAX}`)
  const results = isObject(listed.body) ? listed.body['results'] : undefined
  if (listed.status !== 200 || !Array.isArray(results)) {
    throw new AppError('unavailable', `listing flags answered ${listed.status}`)
  }
  const flags = results.filter(isObject)
  const present = new Set(flags.map((flag) => flag['key']))
  let active = flags.filter((flag) => flag['active'] === true).length
  for (let number = 1; number <= count; number++) {
    const flag = benchFlag(number)
    if (present.has(flag.key)) continue
    const made = await callManagement(baseUrl, project, 'POST', path, flag)
    if (made.status !== 201) {
      throw new AppError('unavailable', `making flag ${flag.key} answered ${made.status}`)
    }
    active++
  }
  return active
}

/** A usual mix: rollouts, tests of the person, and variants. */
function benchFlag(number: number): { key: string; name: string; filters: unknown } {
  const key = `bench-flag-${number}`
  const name = 'made by sluice bench'
  const plan = { key: 'plan', type: 'person', operator: 'exact', value: ['pro', 'team'] }
  const email = { key: 'email', type: 'person', operator: 'icontains', value: '@example.com' }
  const whole = [{ properties: [], rollout_percentage: 100 }]
  const variants = [
    { key: 'control', rollout_percentage: 50 },
    { key: 'test', rollout_percentage: 50 },
  ]
  switch (number % 5) {
    case 0:
      return { key, name, filters: { groups: whole, multivariate: { variants } } }
    case 1:
      return { key, name, filters: { groups: [{ properties: [], rollout_percentage: 50 }] } }
    case 2:
      return { key, name, filters: { groups: [{ properties: [plan], rollout_percentage: 100 }] } }
    case 3:
      return { key, name, filters: { groups: [{ properties: [email] }, ...whole] } }
    default:
      return { key, name, filters: { groups: whole } }
  }
}

/** One call of the management API. Rejects when there is no answer. */
export async function callManagement(
  baseUrl: string,
  project: ManagedProject,
  method: 'GET' | 'POST' | 'DELETE',
  path: string,
  body?: unknown,
): Promise<{ status: number; body: unknown }> {
  const response = await fetch(new URL(path, baseUrl), {
    method,
    headers: {
      Authorization: `Bearer ${project.personalApiKey}`,
      ...(body === undefined ? {} : { 'Content-Type': 'application/json' }),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    signal: AbortSignal.timeout(REQUEST_MS_MAX),
  })
  const text = await response.text()
  return { status: response.status, body: parseJson(text) }
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined // The status is reported; a body that is not JSON adds nothing to it.
  }
}
