/** Persons and events that are deleted and exported, in a project of their own. */
import { type ApiCase, type Expectation, FORBIDDEN, NOT_FOUND } from '../support/case.ts'

const LIST = 'GET /api/projects/{project_id}/deletions/'
const CREATE = 'POST /api/projects/{project_id}/deletions/'
const GET = 'GET /api/projects/{project_id}/deletions/{id}/'
const CANCEL = 'DELETE /api/projects/{project_id}/deletions/{id}/'
const PERSON = 'DELETE /api/projects/{project_id}/persons/{id}/'
const EXPORT = 'GET /api/projects/{project_id}/persons/{id}/export/'
const PATH = '/api/projects/{own}/deletions/'
const PERSONS = '/api/projects/{own}/persons/'
/** It runs for as long as nobody cancels it. */
const HELD = '/api/projects/{project}/deletions/{held_deletion}/'

const DATETIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$/
const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/
const FIELDS = [
  ...['id', 'kind', 'state', 'person_uuid', 'delete_events', 'filters', 'cutoff', 'total'],
  ...['deleted', 'error', 'created_by', 'created_at', 'finished_at', 'backups_hold_until'],
]
/** Calls of administrators only. */
const BY_MEMBER = { shows: 'permission', as: 'member', expect: FORBIDDEN } as const
const NOT_CANCELLED: Expectation = {
  status: 400,
  body: { detail: 'Only a deletion by filter or by age that runs can be cancelled.' },
}

const TOO_FEW = ['min_value', 'Ensure this value is greater than or equal to 1.'] as const
const TOO_MANY = ['max_value', 'Ensure this value is less than or equal to 36525.'] as const
const NO_DAYS = ['invalid_input', 'A valid integer is required.'] as const

const refusedDays = ([code, detail]: readonly [string, string]) => ({
  ...{ type: 'validation_error', code, detail, attr: 'events_retention_days' },
})

const captured: readonly ApiCase[] = [
  {
    name: 'a project to forget in',
    endpoint: 'POST /api/projects/',
    shows: 'success',
    path: '/api/projects/',
    body: { name: 'Privacy', events_retention_days: 400 },
    expect: { status: 201, body: { events_retention_days: 400 } },
    save: { own: 'id', own_token: 'api_token' },
  },
  {
    name: 'events of two persons are captured',
    endpoint: 'POST /batch/',
    shows: 'success',
    as: 'anonymous',
    path: '/batch/',
    body: {
      api_key: '{own_token}',
      batch: [
        { event: 'seen', distinct_id: 'anna', properties: { $set: { email: 'anna@example.com' } } },
        { event: 'seen', distinct_id: 'ben', properties: { $set: { email: 'ben@example.com' } } },
        { event: 'left', distinct_id: 'ben' },
      ],
    },
    expect: { status: 200 },
  },
]

const exports: readonly ApiCase[] = [
  {
    name: 'all that is known of a person, found by a distinct id',
    endpoint: EXPORT,
    shows: 'success',
    path: `${PERSONS}anna/export/?by=distinct_id`,
    expect: {
      status: 200,
      keys: ['person', 'events', 'cursor'],
      body: {
        person: {
          uuid: UUID,
          distinct_ids: ['anna'],
          properties: { email: 'anna@example.com' },
          cohorts: [],
          feature_flag_overrides: [],
          dead_letters: [],
        },
        events: [{ event: 'seen', distinct_id: 'anna' }],
      },
    },
    save: { anna: 'person.uuid' },
  },
  {
    name: 'a person that nobody is has no export',
    endpoint: EXPORT,
    shows: 'error',
    path: `${PERSONS}nobody/export/?by=distinct_id`,
    expect: NOT_FOUND,
  },
  {
    name: 'a member exports no person',
    endpoint: EXPORT,
    ...BY_MEMBER,
    path: `${PERSONS}{anna}/export/`,
  },
  {
    name: 'a person is exported from its own project only',
    endpoint: EXPORT,
    shows: 'tenancy',
    path: '/api/projects/{project}/persons/{anna}/export/',
    expect: NOT_FOUND,
  },
]

const persons: readonly ApiCase[] = [
  {
    name: 'a member deletes no person',
    endpoint: PERSON,
    ...BY_MEMBER,
    path: `${PERSONS}{anna}/`,
  },
  {
    name: 'a person is deleted in its own project only',
    endpoint: PERSON,
    shows: 'tenancy',
    path: '/api/projects/{project}/persons/{anna}/',
    expect: NOT_FOUND,
  },
  {
    name: 'what a deletion of a person would take is counted first',
    endpoint: PERSON,
    shows: 'success',
    path: `${PERSONS}{anna}/?delete_events=true&dry_run=true`,
    unlogged: 'nothing is deleted',
    expect: {
      status: 202,
      keys: FIELDS,
      body: { id: null, kind: 'person', state: 'dry_run', person_uuid: '{anna}', total: 1 },
    },
  },
  {
    name: 'a person is deleted with its events',
    endpoint: PERSON,
    shows: 'success',
    path: `${PERSONS}{anna}/?delete_events=true`,
    expect: {
      status: 202,
      keys: FIELDS,
      body: {
        id: UUID,
        kind: 'person',
        state: 'running',
        person_uuid: '{anna}',
        delete_events: true,
        filters: null,
        total: 1,
        deleted: 0,
        error: null,
        created_by: '{owner_id}',
        created_at: DATETIME,
        finished_at: null,
        backups_hold_until: null,
      },
    },
    save: { gone: 'id' },
  },
  {
    name: 'a deleted person cannot be deleted again',
    endpoint: PERSON,
    shows: 'error',
    path: `${PERSONS}{anna}/?delete_events=true`,
    expect: NOT_FOUND,
  },
  {
    name: 'its distinct id names nobody any more',
    endpoint: EXPORT,
    shows: 'error',
    path: `${PERSONS}anna/export/?by=distinct_id`,
    expect: NOT_FOUND,
  },
  {
    name: 'the deletion of a person is not taken back',
    endpoint: CANCEL,
    shows: 'error',
    path: `${PATH}{gone}/`,
    expect: NOT_CANCELLED,
  },
]

const deletions: readonly ApiCase[] = [
  {
    name: 'a dry run counts and deletes nothing',
    endpoint: CREATE,
    shows: 'success',
    path: PATH,
    body: { event: 'seen', distinct_id: 'ben', dry_run: true },
    unlogged: 'nothing is changed',
    expect: {
      status: 201,
      keys: FIELDS,
      body: {
        id: null,
        kind: 'events',
        state: 'dry_run',
        filters: { event: 'seen', distinct_id: 'ben' },
        total: 1,
        deleted: 0,
      },
    },
  },
  {
    name: 'events are deleted by filter',
    endpoint: CREATE,
    shows: 'success',
    path: PATH,
    body: { properties: '[{"type":"person","key":"email","value":"ben@example.com"}]' },
    expect: { status: 201, body: { kind: 'events', state: 'running', total: 2 } },
    save: { filtered: 'id' },
  },
  {
    name: 'everything at once is not deleted by accident',
    endpoint: CREATE,
    shows: 'error',
    path: PATH,
    body: { after: '-7d' },
    expect: { status: 400, body: { detail: 'Give a filter, or both after and before.' } },
  },
  {
    name: 'a filter that cannot be read is refused',
    endpoint: CREATE,
    shows: 'error',
    path: PATH,
    body: { where: ['event = '] },
    expect: { status: 400, body: { attr: 'where' } },
  },
  {
    name: 'a member deletes no events',
    endpoint: CREATE,
    ...BY_MEMBER,
    path: PATH,
    body: { event: 'seen' },
  },
  {
    name: 'all deletions of a project, the newest first',
    endpoint: LIST,
    shows: 'success',
    path: PATH,
    expect: {
      status: 200,
      body: { count: 2, results: [{ id: '{filtered}' }, { id: '{gone}' }] },
    },
  },
  {
    name: 'deletions of no project are not found',
    endpoint: LIST,
    shows: 'error',
    path: '/api/projects/abc/deletions/',
    expect: NOT_FOUND,
  },
  {
    name: 'a member sees no deletions',
    endpoint: LIST,
    ...BY_MEMBER,
    path: PATH,
  },
  {
    name: 'one deletion',
    endpoint: GET,
    shows: 'success',
    path: `${PATH}{filtered}/`,
    expect: { status: 200, keys: FIELDS, body: { id: '{filtered}', person_uuid: null } },
  },
  {
    name: 'a deletion of another project is not found',
    endpoint: GET,
    shows: 'tenancy',
    path: '/api/projects/{project}/deletions/{filtered}/',
    expect: NOT_FOUND,
  },
  {
    name: 'a deletion of another project is not cancelled',
    endpoint: CANCEL,
    shows: 'tenancy',
    path: '/api/projects/{project}/deletions/{filtered}/',
    expect: NOT_FOUND,
  },
]

const cancel = { endpoint: CANCEL, path: HELD }
const held = { endpoint: GET, path: HELD, shows: 'success' } as const

const cancelled: readonly ApiCase[] = [
  { ...cancel, ...BY_MEMBER, name: 'a member cancels no deletion' },
  {
    ...held,
    name: 'it goes on when nobody has cancelled it',
    expect: { status: 200, body: { state: 'running', finished_at: null } },
  },
  {
    ...cancel,
    name: 'a deletion by filter that runs is cancelled',
    isExample: true,
    shows: 'success',
    expect: { status: 204, text: '' },
  },
  {
    ...held,
    name: 'a cancelled deletion says so, and what it deleted',
    expect: { status: 200, body: { state: 'cancelled', deleted: 0, finished_at: DATETIME } },
  },
  { ...cancel, name: 'a deletion is cancelled once', shows: 'error', expect: NOT_CANCELLED },
]

const retention: readonly ApiCase[] = [
  {
    name: 'a member does not say how long events are kept',
    endpoint: 'PATCH /api/projects/{id}/',
    ...BY_MEMBER,
    path: '/api/projects/{own}/',
    body: { events_retention_days: 1 },
  },
  ...(
    [
      ['for no day', 0, TOO_FEW],
      ['for days that are yet to come', -1, TOO_FEW],
      ['for a part of a day', 1.5, NO_DAYS],
      ['for more than a hundred years', 36_526, TOO_MANY],
      ['for a billion days', 1e9, TOO_MANY],
      ['for more days than there are numbers', 1e300, TOO_MANY],
      ['for a word', 'week', NO_DAYS],
      ['for a truth', true, NO_DAYS],
      ['for a list', [30], NO_DAYS],
    ] as const
  ).map(
    ([name, days, why]): ApiCase => ({
      name: `events are not kept ${name}`,
      endpoint: 'PATCH /api/projects/{id}/',
      shows: 'error',
      as: 'admin',
      path: '/api/projects/{own}/',
      body: { events_retention_days: days },
      expect: { status: 400, body: refusedDays(why) },
    }),
  ),
  {
    name: 'no project is made that keeps its events for no day',
    endpoint: 'POST /api/projects/',
    shows: 'error',
    as: 'admin',
    path: '/api/projects/',
    body: { events_retention_days: 0 },
    expect: { status: 400, body: refusedDays(TOO_FEW) },
  },
  {
    name: 'what was refused is not stored',
    endpoint: 'GET /api/projects/{id}/',
    shows: 'success',
    path: '/api/projects/{own}/',
    expect: { status: 200, body: { events_retention_days: 400 } },
  },
  ...(
    [
      [1, DATETIME],
      [36_525, null],
    ] as const
  ).map(
    ([days, from]): ApiCase => ({
      name: `events are kept for ${days} of the days that may be said, from when on is said too`,
      endpoint: 'PATCH /api/projects/{id}/',
      shows: 'success',
      as: 'admin',
      path: '/api/projects/{own}/',
      body: { events_retention_days: days },
      expect: {
        status: 200,
        body: { events_retention_days: days, events_retention_from: from },
      },
    }),
  ),
  {
    name: 'an administrator has events kept for ever again',
    endpoint: 'PATCH /api/projects/{id}/',
    shows: 'success',
    as: 'admin',
    path: '/api/projects/{own}/',
    body: { events_retention_days: null },
    expect: { status: 200, body: { events_retention_days: null } },
  },
]

export const cases: readonly ApiCase[] = [
  ...captured,
  ...exports,
  ...persons,
  ...deletions,
  ...cancelled,
  ...retention,
]
