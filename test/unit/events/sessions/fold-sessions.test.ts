/** Sessions of one actor: ids, silence, lengths, bounces, bots. */
import t from 'tap'
import { isBot } from '../../../../src/events/sessions/bots.ts'
import {
  ACT_BIT,
  foldSessions,
  forEachPlace,
  isBounce,
  NO_PAGE,
  PAGE_BIT,
  VIEW_BIT,
} from '../../../../src/events/sessions/fold-sessions.ts'

const SECOND = 1_000_000
const MINUTE = 60 * SECOND
const HOUR = 60 * MINUTE
const PAGE = VIEW_BIT + PAGE_BIT

type Row = readonly [at: number, id?: number, bits?: number, members?: number, item?: number]

function fold(...rows: readonly Row[]) {
  const numbers = rows.flatMap(([at, id = 0, bits = PAGE, members = 1, item = 0]) => [
    ...[at, id, bits, members, item],
  ])
  return foldSessions(Float64Array.from(numbers))
}

/** Begins, ends and numbers of events. */
function told(...rows: readonly Row[]) {
  return fold(...rows).map((session) => {
    const places: number[] = []
    forEachPlace(session, (place) => places.push(place))
    return [session.beginUs, session.endUs, places.length]
  })
}

t.test('events of a session id are one session however long it was silent', (t) => {
  t.strictSame(told([0, 7], [2 * HOUR, 7], [23 * HOUR, 7]), [[0, 23 * HOUR, 3]])
  t.end()
})

t.test('an event without an id belongs to the session before, for half an hour', (t) => {
  t.strictSame(told([0, 7], [30 * MINUTE - 1]), [[0, 30 * MINUTE - 1, 2]])
  t.strictSame(told([0, 7], [30 * MINUTE]), [
    [0, 0, 1],
    [30 * MINUTE, 30 * MINUTE, 1],
  ])
  const chain = told([0], [20 * MINUTE], [40 * MINUTE], [60 * MINUTE])
  t.strictSame(chain, [[0, 60 * MINUTE, 4]], 'each event keeps it alive')
  t.strictSame(told([0, 7], [MINUTE, 8], [2 * MINUTE], [3 * MINUTE, 7]), [
    [0, 3 * MINUTE, 2],
    [MINUTE, 2 * MINUTE, 2],
  ])
  t.end()
})

t.test('an id that is used again after a day of silence is another session', (t) => {
  t.strictSame(told([0, 7], [24 * HOUR, 7]), [
    [0, 0, 1],
    [24 * HOUR, 24 * HOUR, 1],
  ])
  t.strictSame(told([0, 7], [24 * HOUR - 1, 7]), [[0, 24 * HOUR - 1, 2]])
  // Events without an id keep no id alive.
  const rows = [...Array(80).keys()].map((n): Row => [n * 20 * MINUTE, n === 0 ? 7 : 0])
  t.strictSame(told(...rows, [26 * HOUR, 7]).at(-1), [26 * HOUR, 26 * HOUR, 1])
  t.end()
})

t.test('a session has the events of its first 24 hours, later ones are of none', (t) => {
  t.strictSame(told([0, 7], [20 * HOUR, 7], [40 * HOUR, 7], [60 * HOUR, 7]), [[0, 20 * HOUR, 2]])
  t.strictSame(told([0, 7], [20 * HOUR, 7], [40 * HOUR, 7], [40 * HOUR + 1]), [[0, 20 * HOUR, 2]])
  t.end()
})

t.test('entry and exit are the pages of the first and the last page view', (t) => {
  const [session] = fold(
    [0, 7, ACT_BIT, 4, 9],
    [1, 7, PAGE, 5, 1],
    [2, 7, VIEW_BIT, 5, 8],
    [3, 7, PAGE, 6, 2],
  )
  t.match(session, { entry: 1, exit: 2, views: 3, acts: 1, members: 4 })
  t.match(fold([0, 7, PAGE, 1, 0], [1, 7, PAGE, 1, 3])[0], { entry: 0, exit: 3 })
  t.match(fold([0, 7, 0])[0], { entry: NO_PAGE, exit: NO_PAGE, views: 0 })
  t.end()
})

t.test('a bounce is one view with nothing done within ten seconds', (t) => {
  const is = (...rows: readonly Row[]) => fold(...rows).map(isBounce)
  t.strictSame(is([0, 7]), [true])
  t.strictSame(is([0, 7], [10 * SECOND - 1, 7, 0]), [true])
  t.strictSame(is([0, 7], [10 * SECOND, 7, 0]), [false])
  t.strictSame(is([0, 7], [1, 7, ACT_BIT]), [false])
  t.strictSame(is([0, 7], [1, 7]), [false])
  t.strictSame(is([0, 7, 0]), [false], 'a session without a view is none')
  t.end()
})

t.test('bots are known by their user agents', (t) => {
  t.ok(isBot('Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)'))
  t.ok(isBot('curl/8.5.0'))
  t.notOk(
    isBot('Mozilla/5.0 (Macintosh; Intel Mac OS X 10.15; rv:141.0) Gecko/20100101 Firefox/141.0'),
  )
  t.notOk(isBot(''))
  t.notOk(isBot(undefined))
  t.end()
})
