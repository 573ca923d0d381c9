/**
 * Live events: what is answered before a stream begins. Streams are read by
 * `test/integration/product/live-events.test.ts`.
 */
import { type ApiCase, invalidField } from './support/case.ts'

const ENDPOINT = 'GET /api/projects/{project_id}/live/'
const PATH = '/api/projects/{project}/live/'

const refused = (where: string): ApiCase => ({
  name: `the condition ${where} is refused`,
  endpoint: ENDPOINT,
  shows: 'error',
  path: `${PATH}?where=${encodeURIComponent(where)}`,
  expect: invalidField('invalid_input', 'where'),
})

const refusedFilter = (properties: string): ApiCase => ({
  name: `the filter ${properties} is refused`,
  endpoint: ENDPOINT,
  shows: 'error',
  path: `${PATH}?properties=${encodeURIComponent(properties)}`,
  expect: invalidField('invalid_input', 'properties'),
})

export const cases: readonly ApiCase[] = [
  {
    name: 'HEAD says that there is a stream of server-sent events',
    endpoint: ENDPOINT,
    verb: 'HEAD',
    shows: 'success',
    path: `${PATH}?event=paid&distinct_id=ada&where=1%20%3D%201`,
    expect: {
      status: 200,
      text: '',
      headers: { 'content-type': 'text/event-stream', 'cache-control': 'no-store' },
    },
  },
  ...['properties.', 'count() > 1', "'a text'", 'nothing = 1'].map(refused),
  ...['7', '[{"type":"cohort","key":"id","value":2000000000}]'].map(refusedFilter),
]
