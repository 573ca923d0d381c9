/** Requests of the management benches: GETs of one kind, with a personal key. */
import { AppError, assert } from '../../../src/core/code.ts'
import { isObject } from '../../../src/core/json.ts'
import { callManagement, type ManagedProject } from './management-api.ts'
import { createPrng, uniformSampler } from './prng.ts'
import type { RequestSource } from './request-source.ts'

/** The routes that are asked for. Lists are pages of 100. */
export const MANAGEMENT_ROUTES = [
  'project',
  'flag',
  'plugin-config',
  'event-definition',
  'event',
  'events',
  'events-by-distinct-id',
  'events-by-event',
  'events-by-property',
  'events-of-a-day',
  'events-at-offset',
] as const
export type ManagementRoute = (typeof MANAGEMENT_ROUTES)[number]

/** The objects that the routes by id ask for. */
export type ManagementObjects = {
  readonly flag: number
  readonly pluginConfig: number
  readonly eventDefinition: string
  readonly events: readonly string[]
}

const EVENTS_KNOWN_MAX = 1_000
const OFFSET = 10_000

/**
 * @param host of the `Host` header.
 * @param distinctIds `user-0000000000` and so on were seeded.
 */
export function createManagementSource(
  target: { host: string; project: ManagedProject; objects: ManagementObjects },
  route: ManagementRoute,
  options: { distinctIds: number; event: string; seed: number },
): RequestSource {
  const { project, host } = target
  const paths = pathsOf(target, route, options)
  assert(paths.length > 0, 'there is something to ask for')
  const requests = paths.map((path) =>
    Buffer.from(
      `GET ${path} HTTP/1.1\r\nHost: ${host}\r\n` +
        `Authorization: Bearer ${project.personalApiKey}\r\n\r\n`,
    ),
  )
  const pick = uniformSampler(createPrng(options.seed), requests.length)
  return {
    bytesMax: Math.max(...requests.map(({ length }) => length)),
    eventsPerRequest: 0,
    fill(buffer) {
      const request = requests[pick()]
      assert(request !== undefined, 'the sampler stays within the requests')
      return request.copy(buffer)
    },
    accepts: isObjectText,
  }
}

const PATHS_MAX = 2_000

function pathsOf(
  { project, objects }: { project: ManagedProject; objects: ManagementObjects },
  route: ManagementRoute,
  { distinctIds, event }: { distinctIds: number; event: string },
): readonly string[] {
  const base = `/api/projects/${project.projectId}/`
  const list = (query: Record<string, string>) => `${base}events/?${new URLSearchParams(query)}`
  switch (route) {
    case 'project':
      return [base]
    case 'flag':
      return [`${base}feature_flags/${objects.flag}/`]
    case 'plugin-config':
      return [`${base}plugin_configs/${objects.pluginConfig}/`]
    case 'event-definition':
      return [`${base}event_definitions/${objects.eventDefinition}/`]
    case 'event':
      return objects.events.map((uuid) => `${base}events/${uuid}/`)
    case 'events':
      return [`${base}events/`]
    case 'events-by-distinct-id':
      return Array.from({ length: Math.min(distinctIds, PATHS_MAX) }, (_, at) => {
        const id = Math.floor((at * distinctIds) / Math.min(distinctIds, PATHS_MAX))
        return list({ distinct_id: `user-${String(id).padStart(10, '0')}` })
      })
    case 'events-by-event':
      return [list({ event })]
    case 'events-by-property': {
      const filter = { key: 'plan', value: 'team', operator: 'exact' }
      return [list({ properties: JSON.stringify([filter]) })]
    }
    case 'events-of-a-day':
      return [list({ after: '3d', before: '2d' })]
    case 'events-at-offset':
      return [list({ offset: String(OFFSET) })]
    default:
      return route satisfies never
  }
}

/** A cut answer does not end so. Parsing each would cost the generator too much. */
function isObjectText(bytes: Buffer, start: number, end: number): boolean {
  return end - start > 2 && bytes[start] === 123 && bytes[end - 1] === 125
}

/**
 * Finds or creates one object of each kind.
 * @throws {AppError} when the instance does not allow it.
 */
export async function findObjects(
  url: string,
  project: ManagedProject,
): Promise<ManagementObjects> {
  const base = `/api/projects/${project.projectId}`
  const flag = await firstOrMade(url, project, `${base}/feature_flags/`, {
    key: `bench-management-${project.projectId}`,
  })
  const plugins = '/api/organizations/@current/plugins/'
  const plugin = await firstOrMade(url, project, plugins, { plugin_type: 'source', name: 'Bench' })
  const configs = `${base}/plugin_configs/`
  const config = await firstOrMade(url, project, configs, { plugin: plugin['id'], order: 1 })
  const definition = await first(url, project, `${base}/event_definitions/`)
  const events = await listed(url, project, `${base}/events/?limit=${EVENTS_KNOWN_MAX}`)
  return {
    flag: Number(flag['id']),
    pluginConfig: Number(config['id']),
    eventDefinition: String(definition?.['id'] ?? ''),
    events: events.map((event) => String(event['id'])),
  }
}

type Found = Readonly<Record<string, unknown>>

async function firstOrMade(
  url: string,
  project: ManagedProject,
  path: string,
  body: unknown,
): Promise<Found> {
  const known = await first(url, project, path)
  if (known !== undefined) return known
  const made = await callManagement(url, project, 'POST', path, body)
  if (made.status !== 201 || !isObject(made.body)) {
    throw new AppError('unavailable', `POST ${path} answered ${made.status}`)
  }
  return made.body
}

async function first(
  url: string,
  project: ManagedProject,
  path: string,
): Promise<Found | undefined> {
  const [found] = await listed(url, project, path)
  return found
}

async function listed(
  url: string,
  project: ManagedProject,
  path: string,
): Promise<readonly Found[]> {
  const { status, body } = await callManagement(url, project, 'GET', path)
  const results = isObject(body) ? body['results'] : undefined
  if (status !== 200 || !Array.isArray(results)) {
    throw new AppError('unavailable', `GET ${path} answered ${status}`)
  }
  return results.filter(isObject)
}
