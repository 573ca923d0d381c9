import t from 'tap'
import { createRenewals } from '../../../../cluster/members/renewals.ts'
import { MEMBER_CONFIRMED_MS, MEMBER_SUSPECT_MS } from '../../../../src/core/limits/limits.ts'

t.test('a renewal confirms from the time it was sent, not from its answer', (t) => {
  const renewals = createRenewals()
  t.notOk(renewals.confirmed(0))
  t.equal(renewals.silentMs(0), Number.POSITIVE_INFINITY)
  renewals.confirm(1_000, 1_900)
  t.ok(renewals.confirmed(1_000 + MEMBER_CONFIRMED_MS - 1))
  t.notOk(renewals.confirmed(1_000 + MEMBER_CONFIRMED_MS))
  renewals.confirm(500, 2_000)
  t.notOk(renewals.confirmed(1_000 + MEMBER_CONFIRMED_MS), 'found late, it takes nothing back')
  t.ok(renewals.confirmed(1_000 + MEMBER_CONFIRMED_MS - 1))
  t.end()
})

t.test('an unknown outcome or a pause ends the steady time', (t) => {
  const renewals = createRenewals()
  renewals.confirm(0, 10)
  renewals.confirm(1_000, 1_010)
  t.equal(renewals.steadySince(1_500), 10)
  t.equal(renewals.beats(), 2)
  renewals.interrupt()
  t.equal(renewals.steadySince(1_500), undefined)
  t.equal(renewals.beats(), 0)
  t.ok(renewals.confirmed(1_500), 'that it was confirmed remains true')
  renewals.confirm(2_000, 2_010)
  t.equal(renewals.steadySince(2_020), 2_010)
  t.equal(renewals.steadySince(2_000 + MEMBER_SUSPECT_MS + 1), undefined, 'asleep meanwhile')
  renewals.confirm(9_000, 9_010)
  t.equal(renewals.steadySince(9_020), 9_010)
  t.equal(renewals.beats(), 1)
  t.end()
})
