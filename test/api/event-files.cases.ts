/** Stored events: one of them, values, and CSV. */
import {
  CSV,
  captured,
  EVENT_FIELDS,
  EVENTS,
  FIRST_ID,
  project,
} from './support/captured-events.ts'
import { type ApiCase, absent, FORBIDDEN, invalidField } from './support/case.ts'

const LIST = 'GET /api/projects/{project_id}/events/'
const GET = 'GET /api/projects/{project_id}/events/{id}/'
const ONE = `${EVENTS}${FIRST_ID}/`
const VALUES = 'GET /api/projects/{project_id}/events/values/'

function values(name: string, query: string, ...found: readonly string[]): ApiCase {
  const body = found.map((each) => ({ name: each }))
  const path = `${EVENTS}values/?${query}`
  return { name, endpoint: VALUES, shows: 'success', path, expect: { status: 200, body } }
}

const empty: readonly ApiCase[] = [
  {
    name: 'without events the file is empty',
    endpoint: LIST,
    shows: 'success',
    path: `${EVENTS}?format=csv`,
    expect: { status: 200, headers: CSV, text: '' },
  },
]

const one: readonly ApiCase[] = [
  {
    name: 'an event by its id: all eight members are texts',
    endpoint: GET,
    shows: 'success',
    path: `${ONE}`,
    expect: {
      status: 200,
      body: {
        id: FIRST_ID,
        event: 'signed up',
        person: /^\{"id" : [1-9]\d*, "uuid" : "[0-9a-f-]{36}", /,
        properties: /^\{/,
        elements: '[]',
        elements_chain: '',
      },
      keys: EVENT_FIELDS,
    },
  },
  {
    name: 'as when its person is asked for',
    endpoint: GET,
    shows: 'success',
    path: `${ONE}?include_person=`,
    expect: { status: 200, body: { person: /"is_identified" : false/ } },
  },
  {
    name: 'in the native shape',
    endpoint: GET,
    shows: 'success',
    path: `${ONE}?shape=native`,
    expect: {
      status: 200,
      body: { properties: { seats: 12 }, person: { distinct_ids: ['ann'] }, elements: [] },
      keys: EVENT_FIELDS,
    },
  },
  {
    name: 'an event as a line of CSV',
    endpoint: GET,
    shows: 'success',
    path: `${ONE}?format=csv`,
    expect: {
      status: 200,
      headers: CSV,
      text: /^distinct_id,elements_chain,event,id,person\.distinct_ids\.0,person\.id,person\.is_identified,person\.uuid,properties\.[^\r]*,timestamp\r\nann,,signed up,0190a0b0-[^\r]*"x,""y"""[^\r]*,pro,12,a,b,2024-03-01T10:00:00\+00:00\r\n$/,
    },
  },
  {
    name: 'an id that is none is no event',
    endpoint: GET,
    shows: 'error',
    path: `${EVENTS}abc/`,
    expect: invalidField('invalid', null),
  },
  {
    name: 'an unknown event is named',
    endpoint: GET,
    shows: 'error',
    path: `${EVENTS}01900000-0000-7000-8000-000000000000/?format=csv`,
    expect: {
      status: 404,
      body: { code: 'not_found', detail: /01900000-0000-7000-8000-000000000000/, attr: null },
    },
  },
  {
    name: 'a member reads it too, an outsider does not',
    endpoint: GET,
    shows: 'permission',
    as: 'outsider',
    path: `${ONE}`,
    expect: FORBIDDEN,
  },
]

const choices: readonly ApiCase[] = [
  values(
    'names of events, but those that every project has',
    'key=custom_event',
    ...['came back', 'left', 'signed up'],
  ),
  values('values of the last seven days, lists taken apart', 'key=plan', 'pro', '{"a":true,"b":1}'),
  values('numbers are texts', 'key=seats', '7'),
  values('what holds a text, whatever the case', 'key=plan&value=PRO', 'pro', '{"a":true,"b":1}'),
  values('of some events', 'key=seats&event_name=left&event_name=signed%20up'),
  values('of no key', ''),
  {
    name: 'values as one column',
    endpoint: VALUES,
    shows: 'success',
    path: `${EVENTS}values/?key=plan&format=csv`,
    expect: { status: 200, headers: CSV, text: 'name\r\npro\r\n"{""a"":true,""b"":1}"\r\n' },
  },
  {
    name: 'values in a format that there is not',
    endpoint: VALUES,
    shows: 'error',
    path: `${EVENTS}values/?key=plan&format=xml`,
    expect: { status: 404, body: { code: 'not_found' } },
  },
  {
    name: 'values are for those who read events',
    endpoint: VALUES,
    shows: 'permission',
    as: { scopes: ['project:read'] },
    path: `${EVENTS}values/?key=plan`,
    expect: FORBIDDEN,
  },
  {
    name: 'values of another organization are not shown',
    endpoint: VALUES,
    shows: 'tenancy',
    as: 'outsider',
    path: `${EVENTS}values/?key=plan`,
    expect: FORBIDDEN,
  },
]

const files: readonly ApiCase[] = [
  {
    name: 'a file has a column for every key, and a line for every event',
    endpoint: LIST,
    shows: 'success',
    path: `${EVENTS}?format=csv&before=2024-03-04&after=2024-02-15`,
    expect: {
      status: 200,
      headers: { ...CSV, 'cache-control': 'no-store' },
      text: /^distinct_id,elements_chain,event,id,person\.distinct_ids\.0,person\.id,person\.is_identified,person\.properties\.email,person\.uuid,properties\.\$set\.email,properties\.\$set\.plan,(?:properties\.\$set_once[^\r]*,)?properties\.[^\r]*,properties\.tags\.1,properties\.url,timestamp\r\n(?:[^\r]*\r\n){3}$/,
    },
  },
  {
    name: 'an outsider asking by Accept gets an error in JSON',
    endpoint: LIST,
    shows: 'tenancy',
    as: 'outsider',
    path: EVENTS,
    headers: { accept: 'text/csv, application/json;q=0.5' },
    expect: { ...FORBIDDEN, headers: { 'content-type': 'application/json' } },
  },
  {
    name: 'Accept asks for a file as well',
    endpoint: LIST,
    shows: 'success',
    path: `${EVENTS}?limit=1&event=left`,
    headers: { accept: 'text/csv' },
    expect: { status: 200, headers: CSV, text: /^distinct_id,.*\r\nben,/ },
  },
  {
    name: 'a file of a bad query is an error in JSON',
    endpoint: LIST,
    shows: 'error',
    path: `${EVENTS}?format=csv&after=soon`,
    expect: {
      ...invalidField('invalid_input', 'after'),
      headers: { 'content-type': 'application/json' },
    },
  },
  {
    name: 'the head of a file has its type and no body',
    endpoint: LIST,
    verb: 'HEAD',
    shows: 'success',
    path: `${EVENTS}?format=csv`,
    expect: { status: 200, headers: CSV, text: '' },
  },
  {
    name: 'expressions are the columns of a file, in the order asked',
    endpoint: LIST,
    shows: 'success',
    path: `${EVENTS}?format=csv&select=event&select=properties.note&select=distinct_id&where=distinct_id%3D'ann'&orderBy=["event"]`,
    expect: {
      status: 200,
      headers: CSV,
      text: 'event,properties.note,distinct_id\r\ncame back,,ann\r\nsigned up,"x,""y""",ann\r\n',
    },
  },
  {
    name: 'an expression that is none is an error, in a file too',
    endpoint: LIST,
    shows: 'error',
    path: `${EVENTS}?format=csv&select=foo(`,
    expect: invalidField('invalid_input', 'select'),
  },
  {
    name: 'events have no results beside a table',
    endpoint: LIST,
    shows: 'success',
    path: `${EVENTS}?select=event&limit=1`,
    expect: { status: 200, body: { results: [['$identify']], native: absent, table: absent } },
  },
]

export const cases: readonly ApiCase[] = [
  ...project,
  ...empty,
  ...captured,
  ...one,
  ...choices,
  ...files,
]
