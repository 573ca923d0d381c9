import t from 'tap'
import { MUTANTS } from './mutants.ts'
import { trySeeds } from './seeds.ts'

/** Far more than the most elusive fault needs. */
const SEEDS_MAX = 300
/** Most mistakes leave a cluster that never settles: less time to wait for it than other runs have. */
const settleMs = 45_000

t.setTimeout(0)

for (const mutant of MUTANTS) {
  t.test(`runs find ${mutant.name}`, async (t) => {
    t.setTimeout(0)
    let { failed } = await trySeeds(mutant.firstSeed, 1, { mutant, settleMs })
    for (let seed = 1; failed.length === 0 && seed <= SEEDS_MAX; seed++) {
      failed = (await trySeeds(seed, 1, { mutant, settleMs })).failed
    }
    const [{ seed, failure } = { seed: 1, failure: 'no run found it' }] = failed
    t.comment(`seed ${seed}: ${failure}`)
    t.match(failure, mutant.found)
    t.strictSame(
      (await trySeeds(seed, 1, { settleMs })).failed,
      [],
      'the same run without it is well',
    )
  })
}
