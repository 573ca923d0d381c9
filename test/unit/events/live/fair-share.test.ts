import fc from 'fast-check'
import t from 'tap'
import { mayTakePlace } from '../../../../src/events/live/fair-share.ts'

t.test('whoever comes gets a place while others take all they may', async (t) => {
  fc.assert(
    fc.property(fc.integer({ min: 8, max: 300 }), fc.integer({ min: 1, max: 3 }), (max, owners) => {
      let all = 0
      for (let owner = 0; owner < owners; owner++) {
        let own = 0
        for (; mayTakePlace({ own, all, max }); own++) all++
      }
      return mayTakePlace({ own: 0, all, max })
    }),
  )
  t.equal(mayTakePlace({ own: 0, all: 4, max: 4 }), false)
  t.equal(mayTakePlace({ own: 1, all: 1, max: 4 }), true)
  t.equal(mayTakePlace({ own: 2, all: 2, max: 4 }), false)
})
