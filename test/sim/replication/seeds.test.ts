import t from 'tap'
import { runCopySeed } from './run.ts'
import { tryCopySeeds } from './seeds.ts'

/** SEED=n shows one run; SIM_SEEDS sets the number of runs, and SIM_FROM the first seed. */
const { SEED, SIM_SEEDS, SIM_FROM = '1' } = process.env
const from = Number(SIM_FROM)
/** The same seeds on every machine. CI runs more: scripts/sim.mjs. */
const RUNS = 12

t.setTimeout(0)

if (SEED !== undefined) {
  t.test(`seed ${SEED}`, async (t) => {
    const result = await runCopySeed(Number(SEED), { trace: true })
    for (const line of result.lines) process.stdout.write(`# ${line}\n`)
    const { failure, steps, hash, counts } = result
    t.comment({ steps, hash, ...counts })
    t.equal(failure, undefined)
  })
} else {
  t.test('whatever fails, the copy has each event once, and none that was removed', async (t) => {
    t.setTimeout(0)
    const shares = [{ first: from, count: Number(SIM_SEEDS ?? RUNS) }]
    for (const { first, count } of shares) {
      const { runs, steps, blocks, failed } = await tryCopySeeds(first, count)
      t.comment(`${runs} runs from ${first} on, ${steps} events of time, ${blocks} blocks`)
      for (const { seed, failure } of failed) {
        t.fail(
          `seed ${seed}: ${failure}; SEED=${seed} node --import tsx test/sim/replication/seeds.test.ts`,
        )
      }
      t.equal(failed.length, 0)
    }
  })

  t.test('a seed of the copy gives the same run each time, watched or not', async (t) => {
    const first = await runCopySeed(from, { trace: true })
    const second = await runCopySeed(from, { trace: true })
    t.equal(first.hash, second.hash)
    t.strictSame(first.lines, second.lines)
    const { steps, ms, counts } = await runCopySeed(from)
    const { steps: firstSteps, ms: firstMs, counts: firstCounts } = first
    t.strictSame({ steps, ms, counts }, { steps: firstSteps, ms: firstMs, counts: firstCounts })
  })
}
