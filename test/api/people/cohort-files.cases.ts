/** Lists of ids that fill static cohorts, as people have them. */
import type { ApiCase, Expectation } from '../support/case.ts'

const ALL = '/api/projects/{project_id}/cohorts/'
const PATH = '/api/projects/{lists}/cohorts/'
const REFUSED = { status: 400, body: { code: 'invalid_input', attr: 'csv' } }

function fill(name: string, csv: string, expect: Expectation, more: object = {}): ApiCase {
  return {
    ...{ name, endpoint: `POST ${ALL}`, shows: expect.status === 201 ? 'success' : 'error' },
    path: PATH,
    body: { name, is_static: true, csv, ...more },
    expect,
  }
}

const counts = (count: number, not_found: number) => ({ status: 201, body: { count, not_found } })

export const cases: readonly ApiCase[] = [
  {
    name: 'a project of lists',
    endpoint: 'POST /api/projects/',
    shows: 'success',
    path: '/api/projects/',
    body: { name: 'Lists' },
    expect: { status: 201 },
    save: { lists: 'id', lists_token: 'api_token' },
  },
  {
    name: 'events make the persons of lists',
    endpoint: 'POST /batch/',
    shows: 'success',
    as: 'anonymous',
    path: '/batch/',
    body: {
      api_key: '{lists_token}',
      batch: ['ann', 'ben'].map((distinct_id) => ({ event: 'seen', distinct_id })),
    },
    expect: { status: 200 },
  },
  {
    ...fill(
      'a heading, and each once',
      'Distinct ID\r\n ann\r\n\r\n"ben"\r\nben\r\nx',
      counts(2, 1),
    ),
    save: { listed: 'id' },
  },
  fill(
    'a column among others, with semicolons',
    'Mail;Distinct ID\r\n"a;@example.com"; ann \r\n;\r\nx;no one\r\n',
    counts(1, 1),
  ),
  {
    name: 'the persons of a list have uuids',
    endpoint: `GET ${ALL}{id}/persons/`,
    shows: 'success',
    path: `${PATH}{listed}/persons/`,
    expect: { status: 200, body: { count: 2 } },
    save: { one_uuid: 'results.0.uuid', other_uuid: 'results.1.uuid' },
  },
  fill(
    'ids of persons, with tabs, beside distinct ids',
    'name\tperson_id\nx\t{one_uuid}\ny\t{other_uuid}\nz\tx\n\t{owner_uuid}\n',
    counts(2, 2),
    { distinct_ids: ['ann'] },
  ),
  fill('several columns, none of them known', 'mail,name\na@example.com,Ann', {
    ...REFUSED,
    body: { ...REFUSED.body, detail: /"mail", "name"/ },
  }),
]
