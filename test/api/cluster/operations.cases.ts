import { type ApiCase, FORBIDDEN, invalidField } from '../support/case.ts'

/** Answers of a standalone: a cluster of one, which has no other worker to give its shards to. */
const GET = 'GET /api/cluster/'
const COPY = 'GET /api/cluster/copy/'
const LIST = 'GET /api/cluster/dead_letters/'
const CAUSES = 'GET /api/cluster/dead_letters/causes/'
const REPLAY = 'POST /api/cluster/dead_letters/replay/'
const DISCARD = 'POST /api/cluster/dead_letters/discard/'
const DRAIN = 'POST /api/cluster/drain/'

const ENDPOINTS = [GET, COPY, LIST, CAUSES, REPLAY, DISCARD, DRAIN]
const STATUS_FIELDS = [
  ...['version', 'cluster_name', 'members', 'writer', 'activations', 'dead_letters', 'database'],
  ...['spill', 'membership', 'redis', 'view_version', 'shards', 'problems', 'dropped'],
  ...['dropped_others', 'dropped_since', 'refused_keys', 'warned_flags', 'warned_cohorts'],
]
const MEMBER_FIELDS = [
  ...['id', 'address', 'role', 'state', 'shards', 'version', 'answered', 'writer', 'activations'],
  ...['events_per_second', 'decides_per_second', 'breaker', 'view_version'],
  ...['host', 'pid', 'started_at'],
]
const NOTHING_DONE = { matched: 0, stored: 0, refused: 0, discarded: 0, cursor: 0 }

function pathOf(endpoint: string): string {
  return endpoint.split(' ')[1] ?? ''
}

function bodyOf(endpoint: string): object {
  if (endpoint.startsWith('GET')) return {}
  return { body: { all: true, member: 'x', address: 'x' } }
}

const status: readonly ApiCase[] = [
  {
    name: 'staff see the cluster, with every member and every shard',
    endpoint: GET,
    shows: 'success',
    isExample: true,
    path: pathOf(GET),
    expect: {
      status: 200,
      keys: STATUS_FIELDS,
      keysAt: {
        'members.0': MEMBER_FIELDS,
        'shards.255': ['shard', 'epoch', 'owner', 'released'],
      },
      body: {
        ...{ dead_letters: 0, database: 'up', membership: 'memory', redis: 'memory' },
        members: [{ role: 'standalone', state: 'active', shards: 256, answered: true }],
        spill: { configured: false },
      },
    },
    save: { member_id: 'members.0.id', member_address: 'members.0.address' },
  },
]

const copy: readonly ApiCase[] = [
  {
    name: 'without EVENTS_URL there is no copy',
    endpoint: COPY,
    shows: 'success',
    isExample: true,
    path: pathOf(COPY),
    expect: { status: 200, body: { configured: false, gaps: [] } },
  },
]

const deadLetters: readonly ApiCase[] = [
  {
    name: 'the list of dead letters has a count and a cursor',
    endpoint: LIST,
    shows: 'success',
    isExample: true,
    path: `${pathOf(LIST)}?project=1&reason=23514&since=2026-01-01&limit=10`,
    expect: { status: 200, body: { results: [], count: 0, cursor: 0 } },
  },
  {
    name: 'what is no time is refused',
    endpoint: LIST,
    shows: 'error',
    path: `${pathOf(LIST)}?until=noon`,
    expect: invalidField('invalid_input', 'until', 'Not a time in ISO 8601.'),
  },
  {
    name: 'the causes are a list',
    endpoint: CAUSES,
    shows: 'success',
    isExample: true,
    path: pathOf(CAUSES),
    expect: { status: 200, body: [] },
  },
  ...[REPLAY, DISCARD].flatMap((endpoint): readonly ApiCase[] => [
    {
      name: `${endpoint}: all of none are none`,
      endpoint,
      shows: 'success',
      isExample: true,
      path: pathOf(endpoint),
      body: { all: true },
      expect: { status: 200, body: NOTHING_DONE },
      unlogged: 'there are none',
    },
    {
      name: `${endpoint}: a dry run counts`,
      endpoint,
      shows: 'success',
      path: pathOf(endpoint),
      body: { reason: '23514', project: 1, dry_run: true },
      expect: { status: 200, body: NOTHING_DONE },
      unlogged: 'nothing is changed',
    },
    {
      name: `${endpoint}: nothing that chooses some does not mean all`,
      endpoint,
      shows: 'error',
      path: pathOf(endpoint),
      body: { reason: ' ', dry_run: true },
      expect: invalidField('required', 'all', 'Choose some, or send true to mean all.'),
    },
    {
      name: `${endpoint}: a page is no larger than a thousand`,
      endpoint,
      shows: 'error',
      path: pathOf(endpoint),
      body: { all: true, limit: 1001 },
      expect: invalidField('max_value', 'limit'),
    },
  ]),
]

const drains: readonly ApiCase[] = [
  {
    name: 'a dry run says what a member holds',
    endpoint: DRAIN,
    shows: 'success',
    isExample: true,
    path: pathOf(DRAIN),
    body: { member: '{member_id}', address: '{member_address}', dry_run: true },
    expect: {
      status: 200,
      body: { member_id: '{member_id}', address: '{member_address}', released: 256 },
    },
    unlogged: 'nothing is changed',
  },
  {
    name: 'the last active worker is not drained',
    endpoint: DRAIN,
    shows: 'error',
    path: pathOf(DRAIN),
    body: { member: '{member_id}', address: '{member_address}' },
    expect: {
      status: 409,
      body: { code: 'failed_precondition', detail: /is the last active worker/, attr: null },
    },
  },
  {
    name: 'another address means another member',
    endpoint: DRAIN,
    shows: 'error',
    path: pathOf(DRAIN),
    body: { member: '{member_id}', address: '127.0.0.1:1' },
    expect: invalidField('invalid_input', 'address', 'The member has another address.'),
  },
  {
    name: 'a member that has ended is not drained',
    endpoint: DRAIN,
    shows: 'error',
    path: pathOf(DRAIN),
    body: { member: 'nobody', address: '{member_address}' },
    expect: invalidField('does_not_exist', 'member'),
  },
  {
    name: 'a drain names its member',
    endpoint: DRAIN,
    shows: 'error',
    path: pathOf(DRAIN),
    body: {},
    expect: invalidField('required', 'member', 'This field is required.'),
  },
]

const borders: readonly ApiCase[] = ENDPOINTS.flatMap((endpoint): readonly ApiCase[] => [
  {
    name: `${endpoint}: a key of staff that is held to a project stays out`,
    endpoint,
    shows: 'tenancy',
    as: { scoped_teams: ['{project}'] },
    path: pathOf(endpoint),
    ...bodyOf(endpoint),
    expect: FORBIDDEN,
  },
])

export const cases: readonly ApiCase[] = [...status, ...copy, ...deadLetters, ...drains, ...borders]
