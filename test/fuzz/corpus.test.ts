import t from 'tap'
import { createBenches } from './benches.ts'
import { corpusOf } from './inputs.ts'
import { tryOnce } from './run.ts'
import { TARGET_NAMES } from './target.ts'

t.test('inputs that failed once are well taken', async (t) => {
  const benches = createBenches()
  t.teardown(() => benches.close())
  for (const target of TARGET_NAMES) {
    for (const { name, input } of corpusOf(target)) {
      t.equal(await tryOnce(benches.of(target), input), undefined, `${target} ${name}`)
    }
  }
})
