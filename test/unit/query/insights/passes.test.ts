import t from 'tap'
import { projectId } from '../../../../src/core/ids.ts'
import type { PassPart, PassRow } from '../../../../src/event-store/insight-events.ts'
import { createPasses, type ReadPass } from '../../../../src/query/insights/passes.ts'
import { everyEvent, within } from '../../../../src/query/insights/reader.ts'

const WEEK = within(everyEvent(projectId(1)), { fromMs: 0, untilMs: 604_800_000 })
const DAY = within(everyEvent(projectId(1)), { fromMs: 0, untilMs: 86_400_000 })

function values(property: string, kind: 'event' | 'person' = 'event'): PassPart {
  return { kind: 'values', source: { kind, property }, edges: [0, 1], cellsMax: 10 }
}

/** Answers each part with its property, and remembers the passes. */
function memory() {
  const passes: (readonly string[])[] = []
  const read: ReadPass = async (_selection, parts) => {
    passes.push(parts.map(nameOf))
    return parts.map((part): PassRow[] => [{ part: 0, bucket: 0, value: nameOf(part), number: 1 }])
  }
  return { passes, read }
}

function nameOf(part: PassPart): string {
  return part.kind === 'values' && 'property' in part.source ? part.source.property : part.kind
}

const valueIn = (rows: readonly PassRow[]) => rows[0]?.value

t.test('simultaneous questions of the same events are one pass', async (t) => {
  const { passes, read } = memory()
  const { count } = createPasses(read)
  const rows = await Promise.all([
    count(WEEK, values('a')),
    count(WEEK, { kind: 'members', of: 'actors', edges: [0, 1], listedMax: 1 }),
    count({ ...WEEK }, values('b')),
    count(WEEK, values('a')),
    count(DAY, values('a')),
    count(WEEK, values('c', 'person')),
  ])
  t.same(rows.map(valueIn), ['a', 'members', 'b', 'a', 'a', 'c'])
  t.same(passes, [['a', 'members', 'b'], ['a'], ['c']])
})

t.test('a pass waits for reads after which more is asked for', async (t) => {
  const { passes, read } = memory()
  const { count, during } = createPasses(read)
  const first = count(WEEK, values('a'))
  const later = during(async () => {
    await new Promise((resolve) => setTimeout(resolve, 5))
  }).then(() => count(WEEK, values('b')))
  t.same((await Promise.all([first, later])).map(valueIn), ['a', 'b'])
  t.same(passes, [['a', 'b']])
})

t.test('a pass that fails fails whoever waits for it', async (t) => {
  const { count } = createPasses(() => Promise.reject(new Error('no events')))
  const asked = [count(WEEK, values('a')), count(WEEK, values('b'))]
  for (const end of await Promise.allSettled(asked)) t.match(end, { status: 'rejected' })
})
