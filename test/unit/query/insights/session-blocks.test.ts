import fc from 'fast-check'
import t from 'tap'
import type { SessionEvents } from '../../../../src/event-store/session-events.ts'
import { foldSessions } from '../../../../src/events/sessions/fold-sessions.ts'
import {
  type BlockRoles,
  gatherBlocks,
  type RoleIn,
} from '../../../../src/query/insights/session-blocks/block-source.ts'
import { NumberPlaces } from '../../../../src/query/insights/session-blocks/number-places.ts'
import {
  BLOCK_MEMBERS,
  openBlock,
  writeBlock,
} from '../../../../src/query/insights/session-blocks/session-block.ts'
import { createTexts } from '../../../../src/query/insights/sessions/session-properties.ts'

const DAY_US = 86_400_000_000
const FIREFOX = 'Mozilla/5.0 (X11; Linux x86_64; rv:141.0) Gecko/20100101 Firefox/141.0'
const BOT = 'Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)'

type Row = readonly [at: number, session: number, bits: number, members: number, item: number]

const texts = (own: Readonly<Record<string, string>>, event = '$pageview') => [
  ...BLOCK_MEMBERS.map(({ properties: [name = ''] }) => own[name] ?? null),
  event,
]

/**
 * Members 71 and 72 differ in the user agent alone, 71 and 73 in where they come from, 73 and 74 in
 * the event.
 */
const MEMBERS = new Map([
  [71, texts({ utm_source: 'news', $browser: 'Firefox', $raw_user_agent: FIREFOX })],
  [72, texts({ utm_source: 'news', $browser: 'Firefox', $raw_user_agent: BOT })],
  [73, texts({ utm_source: 'ads', $browser: 'Firefox', $raw_user_agent: FIREFOX })],
  [74, texts({ utm_source: 'ads', $browser: 'Firefox', $raw_user_agent: FIREFOX }, 'signup')],
])
const ITEMS = new Map([
  [81, '/'],
  [82, '/ä'],
])

async function blockOf(
  ids: readonly (readonly [number, readonly Row[]])[],
  roles: readonly RoleIn[],
) {
  const read: SessionEvents = {
    actors: ids.map(([id, rows]) => ({ id, events: Float64Array.from(rows.flat()) })),
    members: MEMBERS,
    items: ITEMS,
  }
  return { block: openBlock(await writeBlock(read)), roles } satisfies BlockRoles
}

function rowsOf({ events }: { readonly events: Float64Array }): readonly (readonly number[])[] {
  return Array.from({ length: events.length / 5 }, (_, nth) => [
    ...events.subarray(nth * 5, nth * 5 + 5),
  ])
}

t.test('the events of an actor come from all its distinct ids and days, in order', async (t) => {
  const second = await blockOf([[1, [[DAY_US + 5, 901, 3, 73, 82]]]], [{ event: null }])
  const first = await blockOf(
    [
      [
        1,
        [
          [-40, 901, 3, 71, 81],
          [10, 901, 3, 71, 0],
          [20, 0, 4, 71, 0],
        ],
      ],
      [
        2,
        [
          [10, 902, 3, 71, 82],
          [15, 902, 3, 72, 81],
        ],
      ],
      [3, [[7, 901, 0, 71, 0]]],
    ],
    [{ event: null }],
  )
  const persons = Float64Array.from([2, 500, 9, 501, 1, 500])
  const { actors, texts: source } = await gatherBlocks([second, first], persons)
  const found = [...actors].map(rowsOf).filter((rows) => rows.length > 0)
  t.strictSame(
    found.map((rows) => rows.map(([at, session]) => [at, session])),
    [
      [
        [-40, 901],
        [10, 901],
        [10, 902],
        [15, 902],
        [20, 0],
        [DAY_US + 5, 901],
      ],
      [[7, 901]],
    ],
    'of one time first those of the smaller id, and an id without a person is alone',
  )
  t.strictSame(
    found[0]?.map(([, , , , item = 0]) => source.itemOf(item)),
    ['/', undefined, '/ä', '/', undefined, '/ä'],
  )
  const utm = BLOCK_MEMBERS.find(({ properties }) => properties[0] === 'utm_source')
  t.strictSame(
    found[0]?.map(([, , , members = 0]) => utm && source.textOf(members, utm)),
    ['news', 'news', 'news', 'news', 'news', 'ads'],
  )
})

t.test('origins and bots follow from the members of the first event', async (t) => {
  const block = await blockOf(
    [
      [1, [[1, 11, 3, 71, 81]]],
      [2, [[1, 12, 3, 72, 81]]],
      [3, [[1, 13, 3, 73, 81]]],
    ],
    [{ event: null }],
  )
  const { actors, texts: source } = await gatherBlocks([block], new Float64Array())
  const read = createTexts(source)
  const sessions = [...actors].flatMap(({ events }) => foldSessions(events))
  t.strictSame(
    sessions.map((session) => [read.isBot(session), read.origin(session).source]),
    [
      [false, 'news'],
      [true, 'news'],
      [false, 'ads'],
    ],
  )
})

t.test('bits are those of the names and of the roles of the question', async (t) => {
  // A block has roles at 8, 16 and 32; the lowest bits of an event follow from its name.
  const rows: readonly Row[] = [
    [1, 11, 8, 71, 0],
    [2, 11, 16, 72, 0],
    [3, 11, 32 + 8, 74, 0],
  ]
  const roles = [{ place: 2 }, { place: 0 }, { event: 'signup' }, { event: null }]
  const { actors } = await gatherBlocks([await blockOf([[1, rows]], roles)], new Float64Array())
  t.strictSame(
    [...actors].flatMap(rowsOf).map(([, , bits]) => bits),
    [3 + 16 + 64, 3 + 64, 4 + 8 + 16 + 32 + 64],
  )
})

t.test('a block of a day without sessions has nothing', async (t) => {
  const { actors } = await gatherBlocks([await blockOf([], [])], new Float64Array())
  t.strictSame([...actors], [])
})

t.test('events are read as they were written, whatever their size', async (t) => {
  const FROM_US = 1_790_000_000_000_000
  const numbers = fc.tuple(
    fc.constantFrom(1, 300, 20_000, 40_000_000, DAY_US - 1),
    fc.integer({ min: 0, max: 2 ** 52 }),
    fc.constantFrom(71, 72, 73, 74),
    fc.integer({ min: 0, max: 20_000 }),
  )
  const many = Array.from({ length: 20_000 }, (_, nth) => [nth + 1, `/${nth}`] as const)
  const agrees = async (events: readonly (readonly [number, number, number, number])[]) => {
    const rows = events
      .map(([after, session, members, item]) => [FROM_US + after, session, 3, members, item])
      .sort(([a = 0], [b = 0]) => a - b)
    const read: SessionEvents = {
      // The items of the first id make numbers of three bytes of those of the second.
      actors: [
        { id: 1, events: Float64Array.from(many.flatMap(([item]) => [0, 1, 3, 71, item])) },
        { id: 2, events: Float64Array.from(rows.flat()) },
      ],
      members: MEMBERS,
      items: new Map(many),
    }
    const block = openBlock(await writeBlock(read))
    const source = await gatherBlocks([{ block, roles: [] }], new Float64Array())
    const told = [...source.actors].at(1)
    const utm = BLOCK_MEMBERS.find(({ properties }) => properties[0] === 'utm_source')
    const wanted = rows.map(([at, session, , members = 0, item]) => [
      ...[
        at,
        session,
        MEMBERS.get(members)?.[
          BLOCK_MEMBERS.findIndex(({ properties }) => properties[0] === 'utm_source')
        ],
      ],
      item === 0 ? undefined : `/${Number(item) - 1}`,
    ])
    const found = (told === undefined ? [] : rowsOf(told)).map((row) => {
      const [at, session, , members = 0, item = 0] = row
      return [at, session, utm && source.texts.textOf(members, utm), source.texts.itemOf(item)]
    })
    t.strictSame(found, wanted)
  }
  await fc.assert(fc.asyncProperty(fc.array(numbers, { minLength: 1, maxLength: 300 }), agrees), {
    numRuns: 20,
    seed: 7,
  })
})

t.test('places of numbers are those of a map', async (t) => {
  const keys = [0, -1, 1, 2 ** 52, 2 ** 32, 0.5, ...Array.from({ length: 5_000 }, (_, n) => n * 97)]
  const known = new Map<number, number>()
  const places = new NumberPlaces()
  const [told, wanted]: [number[], number[]] = [[], []]
  for (const key of [...keys, ...keys.toReversed()]) {
    const fallback = known.size * 3
    await places.makeRoom(1)
    if (!known.has(key)) known.set(key, fallback)
    told.push(places.placeOf(key, fallback))
    wanted.push(known.get(key) ?? -1)
  }
  t.strictSame(told, wanted)
  t.equal(places.size, known.size)
})
