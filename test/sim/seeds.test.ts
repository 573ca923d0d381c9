import t, { type Test } from 'tap'
import type { Kind } from './nemesis.ts'
import { runSeed } from './run.ts'
import { howToReplay, trySeeds } from './seeds.ts'

/**
 * SEED=n shows one run, event by event; SIM_KIND=single or calm one of those kinds. SIM_SEEDS says how
 * many runs, however long they take, and SIM_FROM the first of them.
 */
const { SEED, SIM_KIND, SIM_SEEDS, SIM_FROM = '1' } = process.env
const from = Number(SIM_FROM)

type Share = { readonly kind: Kind; readonly runs: number; readonly seconds: number }

/** Of 2,000 runs, as many as fit into half a minute. */
const FAULTS: Share = { kind: 'faults', runs: 1_700, seconds: 23 }
const SINGLE: Share = { kind: 'single', runs: 225, seconds: 3 }
const CALM: Share = { kind: 'calm', runs: 75, seconds: 3 }
/** Even where everything else is slow too. */
const RUNS_MIN = 10

async function tryShare(t: Test, { kind, runs: most, seconds: secondsMax }: Share): Promise<void> {
  t.setTimeout(0)
  const { runs, events, seconds, failed } =
    SIM_SEEDS === undefined
      ? await trySeeds(from, most, { kind, secondsMax })
      : await trySeeds(from, Math.ceil((Number(SIM_SEEDS) * most) / FAULTS.runs), { kind })
  t.comment(`${runs} runs, ${events} events, ${seconds} virtual seconds`)
  for (const each of failed) t.fail(howToReplay(each, kind))
  t.equal(failed.length, 0)
  if (SIM_SEEDS === undefined) t.ok(runs >= RUNS_MIN, 'and there was time for some')
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
  // The long form takes as long as it takes.
  t.setTimeout(0)

  t.test('whatever fails, nothing acked is lost or doubled, and all ends well', (t) =>
    tryShare(t, FAULTS),
  )
  t.test('one part of the cluster dies, and no capture fails', (t) => tryShare(t, SINGLE))
  t.test('workers that come and go in good order cost no request', (t) => tryShare(t, CALM))

  t.test('a seed gives the same run each time, watched or not', async (t) => {
    for (const seed of [from, from + 1, from + 2, from + 3]) {
      const first = await runSeed(seed, { trace: true })
      const second = await runSeed(seed, { trace: true })
      t.equal(first.hash, second.hash)
      t.strictSame(first.lines, second.lines)
      const unwatched = await runSeed(seed)
      const { steps, ms, counts } = unwatched
      t.strictSame({ steps, ms, counts }, pick(first))
    }
    const hashes = new Set<number>()
    for (const seed of [from, from + 1, from + 2]) hashes.add((await runSeed(seed)).hash)
    t.equal(hashes.size, 3, 'and another seed gives another run')
  })
}

function pick({ steps, ms, counts }: { steps: number; ms: number; counts: object }) {
  return { steps, ms, counts }
}
