import t from 'tap'
import { MUTANTS } from './mutants.ts'
import { trySeeds } from './seeds.ts'

/** Far more than the least often found mistake needs. */
const SEEDS_MAX = 300

t.setTimeout(0)

for (const mutant of MUTANTS) {
  t.test(`runs find ${mutant.name}`, async (t) => {
    t.setTimeout(0)
    let tried = 0
    let failure: string | undefined
    while (failure === undefined && tried < SEEDS_MAX) {
      const { failed } = await trySeeds(1 + tried, 1, { mutant })
      tried += 1
      failure = failed[0]?.failure
    }
    t.comment(`seed ${tried}: ${failure}`)
    t.match(failure, mutant.found)
  })
}
