import type { ShardId } from '../../src/core/ids.ts'
import { type Member, type View, workersOf } from '../members/view.ts'
import { mix32 } from './shard.ts'

/**
 * Workers in the order in which they should own `shard`. Weighted rendezvous hashing: a member that
 * joins or leaves moves 1/N of the shards. Members that drain come last: they take nothing new as
 * long as another can. Pure: every process computes the same order from the same view.
 */
export function candidates(shard: ShardId, view: View): readonly Member[] {
  return workersOf(view)
    .map((member) => ({ member, score: score(shard, member) }))
    .sort(
      (a, b) =>
        Number(a.member.state !== 'active') - Number(b.member.state !== 'active') ||
        b.score - a.score ||
        (a.member.id < b.member.id ? -1 : 1),
    )
    .map(({ member }) => member)
}

/** The member that should own the shard; `undefined` in an empty view. */
export function preferredOwner(shard: ShardId, view: View): Member | undefined {
  return candidates(shard, view)[0]
}

/** -weight / ln(u) with u in (0, 1): the chance of the highest score is the share of the weight. */
function score(shard: ShardId, member: Member): number {
  const unit = (mix32(hashText(member.id) ^ mix32(shard + 1)) + 0.5) / 0x1_0000_0000
  return -member.weight / Math.log(unit)
}

/** FNV-1a over UTF-16 units. */
function hashText(text: string): number {
  let hash = 0x811c9dc5
  for (let index = 0; index < text.length; index++) {
    hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193)
  }
  return hash >>> 0
}
