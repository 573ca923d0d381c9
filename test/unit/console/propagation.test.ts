import t from 'tap'
import type { Propagation } from '../../../gateway/client/index.ts'
import {
  followChange,
  type Propagated,
  propagationText,
} from '../../../gateway/console/pages/flag/propagation.ts'

const PARTLY: Propagation = { revision: 7, gateways: 3, confirmed: 1, elapsed_ms: null }
const HELD: Propagation = { revision: 7, gateways: 3, confirmed: 3, elapsed_ms: 41.4 }
const UNKNOWN: Propagation = { revision: null, gateways: 3, confirmed: null, elapsed_ms: null }

/** Follows a change whose questions are answered with these, the last one again and again. */
async function follow(answers: readonly Propagation[]) {
  const told: Propagated[] = []
  const asked: (number | undefined)[] = []
  const pauses: number[] = []
  await followChange({
    ask: async (revision) => {
      asked.push(revision)
      return answers[Math.min(asked.length, answers.length) - 1] ?? UNKNOWN
    },
    pause: async (ms) => void pauses.push(ms),
    tell: (known) => told.push(known),
  })
  return { told, asked, pauses, texts: told.map(propagationText) }
}

t.test('an entity that every gateway holds is asked for once', async (t) => {
  const { texts, asked } = await follow([HELD])
  t.strictSame(texts, ['In force at 3 of 3 gateways, 41 ms'])
  t.strictSame(asked, [undefined])
  const quick = await follow([{ revision: 7, gateways: 1, confirmed: 1, elapsed_ms: 0.2 }])
  t.strictSame(quick.texts, ['In force at 1 of 1 gateway, < 1 ms'])
})

t.test('where one is missing the same change is asked about later', async (t) => {
  const { texts, asked, pauses } = await follow([PARTLY, PARTLY, HELD])
  t.strictSame(texts, [
    'In force at 1 of 3 gateways so far',
    'In force at 1 of 3 gateways so far',
    'In force at 3 of 3 gateways, 41 ms',
  ])
  t.strictSame(asked, [undefined, 7, 7])
  t.ok((pauses[0] ?? 0) < (pauses[1] ?? 0), 'each time later')
})

t.test('a gateway that stays away is not asked after for ever', async (t) => {
  const { texts, asked, pauses } = await follow([PARTLY])
  t.equal(texts.at(-1), 'In force at 1 of 3 gateways – the rest has not answered yet')
  t.equal(asked.length, pauses.length + 1)
  t.ok(pauses.reduce((sum, ms) => sum + ms, 0) <= 60_000, 'within a minute')
})

t.test('an unknown propagation is shown as unknown', async (t) => {
  const { texts } = await follow([UNKNOWN])
  t.strictSame(texts, ['Saved. It is not known which gateways have it yet.'])
})
