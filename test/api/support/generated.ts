/** Cases that follow from the contract alone, for every endpoint: nobody has to remember them. */

import { accessCases } from '../generated/access.ts'
import { type Endpoint, endpoints } from '../generated/endpoints.ts'
import { requestCases, routeCases } from '../generated/requests.ts'
import { makeThings, removeThings } from '../generated/things.ts'
import type { ApiCase } from './case.ts'
import type { Family } from './families.ts'

export function generatedFamily(): Family {
  const all = endpoints()
  const cases = [
    ...makeThings,
    ...all.flatMap((endpoint) =>
      [...accessCases(endpoint), ...requestCases(endpoint)].filter(
        (each) => !(endpoint.method.streaming && isOpened(each)),
      ),
    ),
    ...routesOf(all).flatMap(routeCases),
    ...unknownRoutes,
    ...removeThings,
  ]
  return { name: 'generated', path: 'test/api/support/generated.ts', cases }
}

/** A stream that is opened has no end; `test/integration/product/live-events.test.ts` reads some. */
function isOpened({ verb, expect }: ApiCase): boolean {
  return expect.status === 200 && verb !== 'HEAD'
}

/** Endpoints by path. */
function routesOf(all: readonly Endpoint[]): readonly (readonly Endpoint[])[] {
  const templates = new Set(all.map(({ template }) => template))
  return [...templates].map((each) => all.filter(({ template }) => template === each))
}

const unknownRoutes: readonly ApiCase[] = [
  '/api/',
  '/api/nothing/',
  '/api/user/',
  '/api/projects/1/nothing/',
  '/api/projects//',
  '/api/projects/1//events/',
  `/api/${'a/'.repeat(40)}`,
].map((path) => ({
  name: `nothing is served at ${path.slice(0, 40)}, with or without a key`,
  endpoint: 'no endpoint',
  verb: 'GET',
  shows: 'error',
  as: 'anonymous',
  path,
  expect: {
    status: 404,
    body: { type: 'invalid_request', code: 'not_found', detail: 'Endpoint not found.', attr: null },
  },
}))
