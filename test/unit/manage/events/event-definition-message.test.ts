import fc from 'fast-check'
import t from 'tap'
import { projectId, userId } from '../../../../src/core/ids.ts'
import {
  mergeDefinition,
  toEventDefinition,
  toOrder,
  toSelection,
} from '../../../../src/manage/events/event-definition-message.ts'
import { tagsOf } from '../../../../src/manage/merge.ts'
import type { DefinitionSettings } from '../../../../src/store/definitions/event-definition-store.ts'
import { jsonField } from '../../../support/api/management.ts'

const ONE = projectId(1)

t.test('an order is one of six, and any other is the usual one', async (t) => {
  for (const order of ['name', 'volume_30_day', 'query_usage_30_day']) {
    t.equal(toOrder(order), order)
    t.equal(toOrder(`-${order}`), `-${order}`)
  }
  const others = ['', 'id', '--name', 'Name', 'name,volume_30_day', 'constructor', undefined]
  for (const order of others) t.equal(toOrder(order), '-volume_30_day')
})

t.test('a search is its words, each once', async (t) => {
  const words = (search?: string) => toSelection(ONE, search === undefined ? {} : { search }).words
  t.same(words('  sign  up sign '), ['sign', 'up'])
  t.same(words('100%'), ['100%'])
  t.same(words(' '), [])
  t.same(words(), [])
})

t.test('an event type says whose the names are', async (t) => {
  const kind = (type?: string) =>
    toSelection(ONE, type === undefined ? {} : { event_type: type }).kind
  t.same(
    [kind(), kind('event'), kind('event_custom'), kind('event_posthog')],
    ['all', 'all', 'custom', 'library'],
  )
})

t.test('tags are trimmed, in lower case, each once and sorted, however often', async (t) => {
  t.same(tagsOf([' Zeta', 'alpha', 'ALPHA ', '', ' ']), ['alpha', 'zeta'])
  fc.assert(
    fc.property(fc.array(fc.string({ unit: 'grapheme' })), (given) => {
      const tags = tagsOf(given)
      t.same(tagsOf(tags), tags)
      t.same(tagsOf(given.toReversed()), tags)
    }),
    { numRuns: 50 },
  )
})

const STORED: DefinitionSettings = {
  owner: userId(3),
  description: 'Signed up',
  tags: ['a'],
  verified: true,
  postToChat: true,
}
const EMPTY = { null_fields: [], tags: null }

t.test('an update keeps what it does not name', async (t) => {
  t.same(mergeDefinition(STORED, EMPTY), STORED)
})

t.test('an update sets what it names, also to false, the empty text and null', async (t) => {
  const update = {
    owner: 4,
    description: '',
    tags: jsonField(['B', 'b ']),
    verified: false,
    post_to_chat: false,
    null_fields: [],
  }
  t.same(mergeDefinition(STORED, update), {
    owner: 4,
    description: '',
    tags: ['b'],
    verified: false,
    postToChat: false,
  })
  const cleared = { ...EMPTY, tags: jsonField([]), null_fields: ['owner', 'description'] }
  t.match(mergeDefinition(STORED, cleared), { owner: null, description: null, tags: [] })
})

t.test('nulls travel as unset fields', async (t) => {
  const message = toEventDefinition({
    ...STORED,
    owner: null,
    description: null,
    verified: false,
    id: 'b3f0b1de-6d8c-4bb8-b25f-d4dbb2ee1a2e',
    name: 'signed up',
    volume30Day: 0,
    queryUsage30Day: 0,
    updatedBy: null,
    verifiedBy: null,
    verifiedAt: null,
    createdAt: '2026-01-01T00:00:00.000000Z',
    updatedAt: '2026-01-02T00:00:00.000000Z',
    lastSeenAt: '2026-01-03T00:00:00.000000Z',
  })
  for (const field of ['owner', 'description', 'updated_by', 'verified_by', 'verified_at']) {
    t.notOk(field in message, field)
  }
  t.match(message, { volume_30_day: 0, query_usage_30_day: 0, is_action: 'false' })
  t.equal(message.last_updated_at, '2026-01-02T00:00:00.000000Z')
})
