import t from 'tap'
import { MUTANTS } from './mutants.ts'
import { trySeeds } from './seeds.ts'

/** Far more than the least often found mistake needs. */
const SEEDS_MAX = 300

t.setTimeout(0)

for (const mutant of MUTANTS) {
  t.test(`runs find ${mutant.name}`, async (t) => {
    t.setTimeout(0)
    let { failed } = await trySeeds(mutant.firstSeed, 1, { mutant })
    for (let seed = 1; failed.length === 0 && seed <= SEEDS_MAX; seed++) {
      failed = (await trySeeds(seed, 1, { mutant })).failed
    }
    const [{ failure } = { failure: 'no run found it' }] = failed
    t.comment(failure)
    t.match(failure, mutant.found)
  })
}
