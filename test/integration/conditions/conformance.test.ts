/**
 * The vectors of single conditions through HTTP, in projects of several zones: whoever a flag is on
 * for is in the cohort of its condition, in the lists with it and behind the trend with it.
 */
import t from 'tap'
import {
  type Tried,
  tryEvents,
  tryFlags,
  tryPersons,
  tryTrends,
  ZONES,
} from '../../support/conditions/conformance.ts'
import { startStandalone } from '../../support/servers/product.ts'

t.test('conditions through HTTP', async (t) => {
  const product = await startStandalone(t)
  const tried: Tried[] = []
  await t.test('a condition that can never hold is refused wherever it is written', async (t) => {
    for (const zone of ZONES) tried.push(await tryFlags(t, product, zone))
  })
  await t.test('a flag, its cohort, the lists and a trend find the same persons', async (t) => {
    t.equal(tried.length, ZONES.length)
    for (const each of tried) {
      await tryPersons(t, each)
      await tryEvents(t, each)
      await tryTrends(t, each, 'sql')
    }
  })
})
