/** Reads in which buckets actors have events of which role, in ClickHouse. */

import {
  commas,
  type Fragment,
  fragment,
  numbered,
  wholeNumbers,
} from '../../../postgres/fragment.ts'
import type { ActorText } from '../../actor-text.ts'
import type { EventSelection } from '../../event-selection.ts'
import type { ActorsRead, EventRole } from '../../insight-events.ts'
import type { Asking } from './asking.ts'
import { actorOf, actorsOf } from './column-actors.ts'
import { ACTOR_ORDER, anyOf, bucketOf, isIn } from './column-fragments.ts'

/** Bits of a word: the buckets of an actor are bits of a few words for each role. */
const WORD_BITS = 64

export async function bucketsByActor(
  asking: Asking,
  selection: EventSelection,
  roles: readonly EventRole[],
  edges: readonly number[],
  { isNamed, groups }: ActorsRead,
): Promise<readonly ActorText[]> {
  if (roles.length === 0) return []
  const beside = { roles, readsActors: groups === undefined, groups }
  const prepared = await asking.prepare(selection, beside)
  const { from, resolved } = prepared
  const who = actorsOf(prepared, groups)
  const some = fragment`${from} ${who.some} and ${anyOf(roles, resolved)}`
  const at = bucketOf(edges)
  const words = wordsOf(roles.length, edges.length)
  const tests = roles.map(
    (role, place) => fragment`${isIn(role, resolved)} as ${numbered('role', place)}`,
  )
  const events = fragment`
    select ${isNamed ? who.named : who.hash}, ${at} as at, ${commas(tests)} ${some}`
  return isNamed
    ? await namedActors(asking, events, words)
    : await alikeActors(asking, events, words)
}

/** Bits of a number for some buckets of one role. */
type Word = { readonly role: number; readonly firstBucket: number }

function wordsOf(roles: number, buckets: number): readonly Word[] {
  const ofRole = Array.from({ length: Math.ceil(buckets / WORD_BITS) }, (_, nth) => nth * WORD_BITS)
  return Array.from({ length: roles }, (_, role) =>
    ofRole.map((firstBucket) => ({ role, firstBucket })),
  ).flat()
}

function bitsOf({ role, firstBucket }: Word): Fragment {
  const bit = fragment`bitShiftLeft(toUInt64(1), toUInt8(at % ${wholeNumbers([WORD_BITS])}))`
  const within = fragment`intDiv(at, ${wholeNumbers([WORD_BITS])})
    = ${wholeNumbers([firstBucket / WORD_BITS])}`
  return fragment`groupBitOrIf(${bit}, ${numbered('role', role)} and ${within})`
}

function columnsOf(words: readonly Word[]): Fragment {
  return commas(words.map((word, place) => fragment`${bitsOf(word)} as ${numbered('word', place)}`))
}

function textsOf(words: readonly Word[]): Fragment {
  return fragment`arrayMap(w -> toString(w), [${namesOf(words)}])`
}

function namesOf(words: readonly Word[]): Fragment {
  return commas(words.map((_, place) => numbered('word', place)))
}

async function namedActors(
  asking: Asking,
  events: Fragment,
  words: readonly Word[],
): Promise<readonly ActorText[]> {
  const rows = await asking.rows(fragment`
    select ${textsOf(words)}, person, lone from (
      select ${columnsOf(words)}, person, lone from (${events}) group by person, lone
    ) ${ACTOR_ORDER}`)
  return rows.map(([texts, person, lone]) => actorOf([pairsIn(texts, words), person, lone], true))
}

/** Groups actors with the same buckets: one row for all of them, with their number. */
async function alikeActors(
  asking: Asking,
  events: Fragment,
  words: readonly Word[],
): Promise<readonly ActorText[]> {
  const rows = await asking.rows(fragment`
    select ${textsOf(words)}, count() from (
      select ${columnsOf(words)} from (${events}) group by actor
    ) group by ${namesOf(words)}`)
  return rows.map(([texts, actors]) => ({ pairs: pairsIn(texts, words), actors: Number(actors) }))
}

/** @param texts of the words, decimal. */
function pairsIn(texts: unknown, words: readonly Word[]): string {
  const bits = Array.isArray(texts) ? texts.map(BigInt) : []
  const masks = new Map<number, number>()
  for (const [place, { role, firstBucket }] of words.entries()) {
    let bucket = firstBucket
    for (let left = bits[place] ?? 0n; left !== 0n; left >>= 1n, bucket++) {
      if ((left & 1n) === 1n) masks.set(bucket, (masks.get(bucket) ?? 0) + 2 ** role)
    }
  }
  const inOrder = [...masks].sort(([one], [other]) => one - other)
  return inOrder.map(([bucket, mask]) => `${bucket}:${mask}`).join(' ')
}
