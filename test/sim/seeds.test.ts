import t, { type Test } from 'tap'
import type { Kind } from './nemesis.ts'
import { runSeed } from './run.ts'
import { howToReplay, trySeeds } from './seeds.ts'

/**
 * SEED=n shows one run, event by event; SIM_KIND=single or calm selects its kind. SIM_SEEDS sets
 * the number of runs, however long they take, and SIM_FROM the first seed.
 */
const { SEED, SIM_KIND, SIM_SEEDS, SIM_FROM = '1', CI } = process.env
const from = Number(SIM_FROM)

type Share = { readonly kind: Kind; readonly runs: number }

/** The same seeds on every machine, however fast it is. CI runs many more: scripts/sim.mjs. */
const FAULTS: Share = { kind: 'faults', runs: 30 }
const SINGLE: Share = { kind: 'single', runs: 10 }
const CALM: Share = { kind: 'calm', runs: 5 }
/**
 * Runs of each kind with new seeds. In CI these are the same each time too, so that a failure comes from
 * the change: new ones are tried by hand.
 */
const FRESH_RUNS = 5
const FRESH_FROM = 1_000_000 + Math.floor((CI === 'true' ? 0.5 : Math.random()) * 1_000_000_000)

async function tryShare(t: Test, { kind, runs }: Share): Promise<void> {
  t.setTimeout(0)
  if (SIM_SEEDS !== undefined) {
    await tryAll(t, kind, from, Math.ceil((Number(SIM_SEEDS) * runs) / FAULTS.runs))
    return
  }
  await tryAll(t, kind, from, runs)
  await tryAll(t, kind, FRESH_FROM, FRESH_RUNS)
}

async function tryAll(t: Test, kind: Kind, first: number, count: number): Promise<void> {
  const { runs, events, seconds, failed } = await trySeeds(first, count, { kind })
  t.comment(`${runs} runs from ${first} on, ${events} events, ${seconds} virtual seconds`)
  for (const each of failed) t.fail(howToReplay(each, kind))
  t.equal(failed.length, 0)
  if (failed.length === 0) t.equal(runs, count, 'all were run')
}

if (SEED !== undefined) {
  t.test(`seed ${SEED}`, async (t) => {
    const kind = SIM_KIND === 'calm' || SIM_KIND === 'single' ? SIM_KIND : 'faults'
    const result = await runSeed(Number(SEED), { kind, trace: true })
    for (const line of result.lines) process.stdout.write(`# ${line}\n`)
    const { failure, steps, hash, counts } = result
    t.comment({ steps, hash, ...counts })
    t.equal(failure, undefined)
  })
} else {
  // The long form has no time-out.
  t.setTimeout(0)

  t.test('whatever fails, nothing acked is lost or doubled, and all ends well', (t) =>
    tryShare(t, FAULTS),
  )
  t.test('one part of the cluster dies, and no capture fails', (t) => tryShare(t, SINGLE))
  t.test('workers that come and go in good order cost no request', (t) => tryShare(t, CALM))

  t.test('a seed gives the same run each time, watched or not', async (t) => {
    const hashes = new Set<number>()
    for (const seed of [from, from + 1]) {
      const first = await runSeed(seed, { trace: true })
      const second = await runSeed(seed, { trace: true })
      t.equal(first.hash, second.hash)
      t.strictSame(first.lines, second.lines)
      const unwatched = await runSeed(seed)
      const { steps, ms, counts } = unwatched
      t.strictSame({ steps, ms, counts }, pick(first))
      hashes.add(unwatched.hash)
    }
    t.equal(hashes.size, 2, 'and another seed gives another run')
  })
}

function pick({ steps, ms, counts }: { steps: number; ms: number; counts: object }) {
  return { steps, ms, counts }
}
