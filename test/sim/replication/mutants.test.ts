import t from 'tap'
import { REPLICA_MUTANTS } from './mutants.ts'
import { tryCopySeeds } from './seeds.ts'

/** Far more than the most elusive fault needs. */
const SEEDS_MAX = 300

t.setTimeout(0)

for (const mutant of REPLICA_MUTANTS) {
  t.test(`runs of the copy find ${mutant.name}`, async (t) => {
    t.setTimeout(0)
    let { failed } = await tryCopySeeds(mutant.firstSeed, 1, { mutant })
    for (let seed = 1; failed.length === 0 && seed <= SEEDS_MAX; seed++) {
      failed = (await tryCopySeeds(seed, 1, { mutant })).failed
    }
    const [{ seed, failure } = { seed: 1, failure: 'no run found it' }] = failed
    t.comment(`seed ${seed}: ${failure}`)
    t.match(failure, mutant.found)
    t.strictSame((await tryCopySeeds(seed, 1)).failed, [], 'the same run without it is well')
  })
}
