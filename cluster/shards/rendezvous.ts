import type { ShardId } from '../../src/core/ids.ts'
import { type Member, type View, workersOf } from '../members/view.ts'
import { mix32 } from './shard.ts'

/**
 * Workers in the order in which they should own `shard`. Weighted rendezvous hashing: a member that
 * joins or leaves moves 1/N of the shards. Draining members are last: they take nothing new as long
 * as another can. Pure: every process computes the same order from the same view.
 */
export function candidates(shard: ShardId, view: View): readonly Member[] {
  return workersOf(view)
    .map((member) => ({ member, score: score(shard, hashText(member.id), member.weight) }))
    .sort(
      (a, b) =>
        Number(a.member.state !== 'active') - Number(b.member.state !== 'active') ||
        b.score - a.score ||
        (a.member.id < b.member.id ? -1 : 1),
    )
    .map(({ member }) => member)
}

/**
 * The member that should own a shard, the first of its `candidates`; `undefined` in an empty view.
 * Does not sort the others, since each change of the view looks up every shard.
 */
export function preferredOwners(view: View): (shard: ShardId) => Member | undefined {
  const workers = workersOf(view)
  const active = workers.filter(({ state }) => state === 'active')
  const able = (active.length > 0 ? active : workers).map((member) => {
    return { member, weight: member.weight, hash: hashText(member.id) }
  })
  return (shard) => {
    let best: Member | undefined
    let bestScore = Number.NEGATIVE_INFINITY
    for (const { member, weight, hash } of able) {
      const own = score(shard, hash, weight)
      const isBetter = own > bestScore || (own === bestScore && member.id < (best?.id ?? ''))
      if (best !== undefined && !isBetter) continue
      best = member
      bestScore = own
    }
    return best
  }
}

/** -weight / ln(u) with u in (0, 1): the chance of the highest score is the share of the weight. */
function score(shard: ShardId, hash: number, weight: number): number {
  const unit = (mix32(hash ^ mix32(shard + 1)) + 0.5) / 0x1_0000_0000
  return -weight / Math.log(unit)
}

/** FNV-1a over UTF-16 units. */
function hashText(text: string): number {
  let hash = 0x811c9dc5
  for (let index = 0; index < text.length; index++) {
    hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193)
  }
  return hash >>> 0
}
