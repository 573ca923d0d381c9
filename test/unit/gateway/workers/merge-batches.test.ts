import t from 'tap'
import {
  type EncodedGroup,
  encodeIngestGroup,
  groupOfEvents,
} from '../../../../gateway/workers/ingest-codec.ts'
import { mergeGroups } from '../../../../gateway/workers/merge-groups.ts'
import { projectId } from '../../../../src/core/ids.ts'
import { MERGED_GROUP_BYTES_MAX } from '../../../../src/core/limits/limits.ts'
import { type IngestEvent, NO_PERSON_CHANGE } from '../../../../src/events/event.ts'

function event(uuid: string, properties = '{}'): IngestEvent {
  return {
    uuid,
    event: 'e',
    distinctId: 'd',
    timestamp: '2026-01-02T03:04:05.678901Z',
    properties,
    elementsChain: '',
    person: NO_PERSON_CHANGE,
    groups: [],
    groupChange: undefined,
  }
}

function request(project: number, uuids: string, hasPlugins = false): EncodedGroup {
  const events = uuids.split(' ').map((uuid) => event(uuid))
  return groupOfEvents(projectId(project), events, hasPlugins)
}

/** `project: uuids` of each group. */
function shown(groups: readonly EncodedGroup[]): string[] {
  return groups.map(({ projectId, content, count }) => {
    const uuids = content.kind === 'events' ? content.events.map(({ uuid }) => uuid) : ['bytes']
    return `${projectId}: ${uuids.join(' ')} (${count})`
  })
}

t.test('small requests to one project share a group, in the order they came', (t) => {
  const { groups, places } = mergeGroups([
    request(1, 'a'),
    request(2, 'b'),
    request(1, 'c d'),
    request(3, 'e'),
    request(2, 'f'),
  ])
  t.strictSame(shown(groups), ['1: a c d (3)', '2: b f (2)', '3: e (1)'])
  t.strictSame(places, [0, 1, 0, 2, 1])
  t.end()
})

t.test('the size of a shared group is that of its requests', (t) => {
  const requests = [request(1, 'a'), request(1, 'b c')]
  const [shared] = mergeGroups(requests).groups
  t.equal(shared?.bytes, (requests[0]?.bytes ?? 0) + (requests[1]?.bytes ?? 0))
  t.end()
})

t.test('the requests themselves are left as they are', (t) => {
  const first = request(1, 'a')
  mergeGroups([first, request(1, 'b')])
  t.strictSame(shown([first]), ['1: a (1)'])
  t.end()
})

t.test('large requests, encoded ones and those with plugins have groups of their own', (t) => {
  const id = projectId(1)
  const large = groupOfEvents(id, [event('large', `"${'x'.repeat(MERGED_GROUP_BYTES_MAX)}"`)])
  const group = encodeIngestGroup(1, [event('x')])
  const encoded: EncodedGroup = {
    projectId: id,
    count: 1,
    bytes: group.length,
    hasPlugins: false,
    content: { kind: 'encoded', group },
  }
  const { groups, places } = mergeGroups([
    request(1, 'a'),
    large,
    encoded,
    request(1, 'p', true),
    request(1, 'q', true),
    request(1, 'b'),
  ])
  t.strictSame(shown(groups), [
    '1: a b (2)',
    '1: large (1)',
    '1: bytes (1)',
    '1: p (1)',
    '1: q (1)',
  ])
  t.strictSame(places, [0, 1, 2, 3, 4, 0])
  t.end()
})

t.test('a request that is alone is handed on', (t) => {
  const alone = [request(1, 'a')]
  t.equal(mergeGroups(alone).groups, alone)
  t.strictSame(mergeGroups([]), { groups: [], places: [] })
  t.end()
})
