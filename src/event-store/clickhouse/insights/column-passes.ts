/** Counts the same events in several ways, in ClickHouse: each way is a statement of its own. */

import { type Fragment, fragment, wholeNumbers } from '../../../postgres/fragment.ts'
import type { EventSelection } from '../../event-selection.ts'
import type { PassPart, PassRow } from '../../insight-events.ts'
import { memberText } from '../renderer/json-member.ts'
import type { Asking } from './asking.ts'
import { ACTOR, bucketOf, DIFFERENT_ACTORS } from './column-fragments.ts'

type PartOf<Kind> = Extract<PassPart, { kind: Kind }>

export async function countInOnePass(
  asking: Asking,
  selection: EventSelection,
  parts: readonly PassPart[],
): Promise<readonly (readonly PassRow[])[]> {
  return await Promise.all(
    parts.map((part, place) =>
      part.kind === 'values'
        ? countValues(asking, selection, part, place)
        : countMembers(asking, selection, part, place),
    ),
  )
}

async function countValues(
  asking: Asking,
  selection: EventSelection,
  { source, edges, cellsMax }: PartOf<'values'>,
  part: number,
): Promise<readonly PassRow[]> {
  const { from, breakdown } = await asking.prepare(selection, { breakdown: source })
  if (breakdown === undefined) return []
  const rows = await asking.rows(fragment`
    select bucket - 1, value, count() from (
      select ${bucketOf(edges)} as bucket, ${breakdown.text} as value ${from}
    ) group by bucket, value limit ${wholeNumbers([cellsMax + 1])}`)
  return rows.map(([bucket, value, number]) => ({
    part,
    bucket: Number(bucket),
    number: Number(number),
    value: value === null ? null : breakdown.valueOf(String(value)),
  }))
}

async function countMembers(
  asking: Asking,
  selection: EventSelection,
  { of, edges, listedMax }: PartOf<'members'>,
  part: number,
): Promise<readonly PassRow[]> {
  const { from } = await asking.prepare(selection, { readsActors: of === 'actors' })
  const bucket = bucketOf(edges)
  const all = await asking.rows(fragment`
    select bucket - 1, ${DIFFERENT[of]} from (
      select toNullable(${bucket}) as bucket, ${KEYS[of]} ${from}
    ) group by bucket with rollup`)
  const whole = all.find(([place]) => place === null)?.[1] ?? 0
  const counted = all.filter(([place, number]) => place !== null && Number(number) > 0)
  const listed = counted.reduce((sum, [, number]) => sum + Number(number), 0)
  const lists = new Map<number, string>()
  if (listed > 0 && listed <= listedMax) {
    const rows = await asking.rows(fragment`
      select bucket - 1, groupUniqArray(assumeNotNull(member)) from (
        select ${bucket} as bucket, ${MEMBERS[of]} as member ${from}
      ) where isNotNull(member) group by bucket`)
    for (const [place, list] of rows) lists.set(Number(place), JSON.stringify(list))
  }
  const rows = counted.map(([place, number]) => ({
    part,
    bucket: Number(place),
    number: Number(number),
    value: lists.get(Number(place)) ?? null,
  }))
  return [...rows, { part, bucket: null, value: null, number: Number(whole) }]
}

/** Same name as in Postgres, because lists are cached: long ones are hashed. */
function sessionName(text: Fragment): Fragment {
  return fragment`if(lengthUTF8(${text}) <= 64, concat('s', ${text}),
    concat('S', base64Encode(SHA256(${text}))))`
}

const SESSION = fragment`nullIf(${memberText(fragment`e.properties`, '$session_id')}, '')`
const KEYS = { actors: ACTOR, sessions: fragment`${SESSION} as session` }
const DIFFERENT = { actors: DIFFERENT_ACTORS, sessions: fragment`uniqExact(session)` }
const MEMBERS = {
  actors: fragment`if(p.person_id = 0, concat('d', e.distinct_id),
    concat('p', toString(p.person_id)))`,
  sessions: fragment`arrayElement(arrayMap(s -> ${sessionName(fragment`s`)}, [${SESSION}]), 1)`,
}
