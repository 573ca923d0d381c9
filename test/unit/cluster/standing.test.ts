import t from 'tap'
import { createStanding } from '../../../cluster/members/renewals.ts'
import { MEMBER_CONFIRMED_MS, MEMBER_SUSPECT_MS } from '../../../src/core/limits/limits.ts'

t.test('a renewal confirms from the time it was sent, not from its answer', (t) => {
  const standing = createStanding()
  t.notOk(standing.confirmed(0))
  t.equal(standing.silentMs(0), Number.POSITIVE_INFINITY)
  standing.confirm(1_000, 1_900)
  t.ok(standing.confirmed(1_000 + MEMBER_CONFIRMED_MS - 1))
  t.notOk(standing.confirmed(1_000 + MEMBER_CONFIRMED_MS))
  standing.confirm(500, 2_000)
  t.notOk(standing.confirmed(1_000 + MEMBER_CONFIRMED_MS), 'found late, it takes nothing back')
  t.ok(standing.confirmed(1_000 + MEMBER_CONFIRMED_MS - 1))
  t.end()
})

t.test('a doubt or a pause ends the steady time', (t) => {
  const standing = createStanding()
  standing.confirm(0, 10)
  standing.confirm(1_000, 1_010)
  t.equal(standing.steadySince(1_500), 10)
  t.equal(standing.beats(), 2)
  standing.doubt()
  t.equal(standing.steadySince(1_500), undefined)
  t.equal(standing.beats(), 0)
  t.ok(standing.confirmed(1_500), 'that it was confirmed remains true')
  standing.confirm(2_000, 2_010)
  t.equal(standing.steadySince(2_020), 2_010)
  t.equal(standing.steadySince(2_000 + MEMBER_SUSPECT_MS + 1), undefined, 'asleep meanwhile')
  standing.confirm(9_000, 9_010)
  t.equal(standing.steadySince(9_020), 9_010)
  t.equal(standing.beats(), 1)
  t.end()
})
