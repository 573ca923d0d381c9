import t from 'tap'
import {
  type FunnelEvent,
  type FunnelRules,
  follow,
} from '../../../../src/query/insights/funnels/fold.ts'

const [A, B, C] = [1, 2, 4]
const RULES: FunnelRules = { order: 'ordered', steps: 3, window: 100, exclusions: [] }

function way(text: readonly (readonly [number, number])[], rules: Partial<FunnelRules> = {}) {
  const events = text.map(([at, mask]): FunnelEvent => ({ at, mask }))
  return follow(events, { ...RULES, ...rules })?.times
}

t.test('one event never fills two steps in a row', async (t) => {
  t.strictSame(way([[1, A | B]]), [1])
  t.strictSame(
    way([
      [1, A | B],
      [2, A | B],
    ]),
    [1, 2],
  )
  t.strictSame(
    way([
      [1, A | B],
      [1, A | B],
    ]),
    [1, 1],
  )
  t.strictSame(
    way([
      [1, A],
      [1, B],
      [1, A | C],
    ]),
    [1, 1, 1],
  )
})

t.test('equal times count in the order of steps', async (t) => {
  t.strictSame(
    way([
      [5, C],
      [5, B],
      [5, A],
    ]),
    [5, 5, 5],
  )
  t.strictSame(
    way(
      [
        [5, B],
        [5, A],
      ],
      { order: 'strict' },
    ),
    [5, 5],
  )
})

t.test('a later entry replaces an earlier one, and the window includes its end', async (t) => {
  t.strictSame(
    way([
      [0, A],
      [50, A],
      [60, B],
      [150, C],
    ]),
    [50, 60, 150],
  )
  t.strictSame(
    way([
      [0, A],
      [60, B],
      [101, C],
    ]),
    [0, 60],
  )
  t.strictSame(
    way([
      [0, A],
      [60, B],
      [70, A],
      [100, C],
    ]),
    [0, 60, 100],
  )
})

t.test('strict: whatever else happens begins anew', async (t) => {
  const strict = { order: 'strict' } as const
  t.strictSame(
    way(
      [
        [1, A],
        [2, 0],
        [3, B],
      ],
      strict,
    ),
    [1],
  )
  t.strictSame(
    way(
      [
        [1, A],
        [2, A],
        [3, B],
        [4, C],
      ],
      strict,
    ),
    [2, 3, 4],
  )
})

t.test('in any order: the earliest of the windows with most steps', async (t) => {
  const unordered = { order: 'unordered' } as const
  t.strictSame(
    way(
      [
        [0, C],
        [50, B],
        [200, A],
        [210, B],
      ],
      unordered,
    ),
    [0, 50],
  )
  t.strictSame(
    way(
      [
        [0, A],
        [200, C],
        [250, B],
        [260, A],
      ],
      unordered,
    ),
    [200, 250, 260],
  )
})

t.test(
  'an exclusion counts between two steps, and after the first where the other is missing',
  async (t) => {
    const X = 8
    const of = (events: readonly (readonly [number, number])[], order: FunnelRules['order']) =>
      way(events, { order, exclusions: [{ from: 0, to: 1 }] })
    const [between, left] = [
      [
        [1, A],
        [2, X],
        [3, B],
      ],
      [
        [1, A],
        [2, X],
      ],
    ] as const
    for (const order of ['ordered', 'strict'] as const) {
      t.strictSame(of(between, order), undefined, order)
      t.strictSame(of(left, order), undefined, `did X and left: ${order}`)
      t.strictSame(
        of(
          [
            [1, A],
            [3, B],
            [4, X],
            [5, C],
          ],
          'ordered',
        ),
        [1, 3, 5],
        'after both',
      )
      t.strictSame(
        of(
          [
            [1, X],
            [2, A],
          ],
          order,
        ),
        [2],
        'before the first',
      )
      t.strictSame(
        of(
          [
            [1, A],
            [1, X],
          ],
          order,
        ),
        [1],
        'at the moment of the first',
      )
      t.strictSame(
        of(
          [
            [1, A],
            [101, X],
          ],
          order,
        ),
        undefined,
        'at the end of the window',
      )
      t.strictSame(
        of(
          [
            [1, A],
            [102, X],
          ],
          order,
        ),
        [1],
        'after the window',
      )
    }
    t.strictSame(of(between, 'unordered'), [1], 'in any order the first step stays')
    t.strictSame(of(left, 'unordered'), [1])
    t.strictSame(
      of(
        [
          [1, B],
          [2, A],
          [3, X],
          [4, C],
        ],
        'unordered',
      ),
      [1, 2, 4],
      'after both',
    )
  },
)

t.test('the latest way that came as far is known although another event ended it', async (t) => {
  const events = [A, A, 0].map((mask, index): FunnelEvent => ({ at: 10 * (index + 1), mask }))
  for (const order of ['ordered', 'strict'] as const) {
    const found = follow(events, { ...RULES, order })
    t.strictSame(found, { times: [10], latestStart: 20 }, order)
  }
})

t.test('in any order, an event that may be several steps leaves the others theirs', async (t) => {
  const order = 'unordered' as const
  const text = [
    [1, A | C],
    [2, A],
  ] as const
  t.strictSame(way(text, { order }), [1, 2])
  t.strictSame(way([...text, [3, A | B | C]], { order }), [1, 2, 3])
  t.strictSame(way([...text, [3, A | C]], { order }), [1, 2])
})

t.test('in any order, each window is looked at for its steps alone', async (t) => {
  const events = Array.from({ length: 100_000 }, (_, at): FunnelEvent => ({ at, mask: A }))
  const found = follow(events, { ...RULES, order: 'unordered', window: 1_000_000 })
  t.strictSame(found, { times: [0], latestStart: 99_999 })
})
