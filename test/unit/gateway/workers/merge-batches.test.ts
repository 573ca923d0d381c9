import t from 'tap'
import {
  type EncodedBatch,
  encodableBatch,
  encodeEventBatch,
} from '../../../../gateway/workers/ingest-codec.ts'
import { MERGED_BATCH_BYTES_MAX, mergeBatches } from '../../../../gateway/workers/merge-batches.ts'
import { projectId } from '../../../../src/core/ids.ts'
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

function request(project: number, uuids: string, hasPlugins = false): EncodedBatch {
  const events = uuids.split(' ').map((uuid) => event(uuid))
  return encodableBatch(projectId(project), events, hasPlugins)
}

/** `project: uuids` of each batch. */
function shown(batches: readonly EncodedBatch[]): string[] {
  return batches.map(({ projectId, content, count }) => {
    const uuids = content.kind === 'events' ? content.events.map(({ uuid }) => uuid) : ['bytes']
    return `${projectId}: ${uuids.join(' ')} (${count})`
  })
}

t.test('small requests to one project share a batch, in the order they came', (t) => {
  const { batches, indexes } = mergeBatches([
    request(1, 'a'),
    request(2, 'b'),
    request(1, 'c d'),
    request(3, 'e'),
    request(2, 'f'),
  ])
  t.strictSame(shown(batches), ['1: a c d (3)', '2: b f (2)', '3: e (1)'])
  t.strictSame(indexes, [0, 1, 0, 2, 1])
  t.end()
})

t.test('the size of a shared batch is that of its requests', (t) => {
  const requests = [request(1, 'a'), request(1, 'b c')]
  const [shared] = mergeBatches(requests).batches
  t.equal(shared?.bytes, (requests[0]?.bytes ?? 0) + (requests[1]?.bytes ?? 0))
  t.end()
})

t.test('the requests themselves are left as they are', (t) => {
  const first = request(1, 'a')
  mergeBatches([first, request(1, 'b')])
  t.strictSame(shown([first]), ['1: a (1)'])
  t.end()
})

t.test('large requests, encoded ones and those with plugins have batches of their own', (t) => {
  const id = projectId(1)
  const large = encodableBatch(id, [event('large', `"${'x'.repeat(MERGED_BATCH_BYTES_MAX)}"`)])
  const batch = encodeEventBatch(1, [event('x')])
  const encoded: EncodedBatch = {
    projectId: id,
    count: 1,
    bytes: batch.length,
    hasPlugins: false,
    content: { kind: 'encoded', batch },
  }
  const { batches, indexes } = mergeBatches([
    request(1, 'a'),
    large,
    encoded,
    request(1, 'p', true),
    request(1, 'q', true),
    request(1, 'b'),
  ])
  t.strictSame(shown(batches), [
    '1: a b (2)',
    '1: large (1)',
    '1: bytes (1)',
    '1: p (1)',
    '1: q (1)',
  ])
  t.strictSame(indexes, [0, 1, 2, 3, 4, 0])
  t.end()
})

t.test('a request that is alone is handed on', (t) => {
  const alone = [request(1, 'a')]
  t.equal(mergeBatches(alone).batches, alone)
  t.strictSame(mergeBatches([]), { batches: [], indexes: [] })
  t.end()
})
