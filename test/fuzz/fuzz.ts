/** `npm run fuzz`: says what is tried, and what was found. */
import { parseArgs } from 'node:util'
import { createBenches } from './benches.ts'
import { corpusOf, inputOf, keep } from './inputs.ts'
import { runTarget, tryOnce } from './run.ts'
import { isTargetName, TARGET_NAMES, type TargetName } from './target.ts'

const { values } = parseArgs({
  options: {
    target: { type: 'string', multiple: true },
    seed: { type: 'string' },
    from: { type: 'string' },
    minutes: { type: 'string' },
  },
})
const targets = targetsOf(values.target ?? [])
const minutes = Number(values.minutes ?? targets.length)
if (!(minutes > 0)) throw new Error('--minutes takes a number above 0')

const benches = createBenches()
try {
  process.exitCode = (values.seed === undefined ? await run() : await replay(seedOf(values.seed)))
    ? 0
    : 1
} finally {
  await benches.close()
}

/** True when nothing was found. */
async function run(): Promise<boolean> {
  const seed = values.from === undefined ? Math.floor(Math.random() * 2 ** 31) : seedOf(values.from)
  const found = []
  for (const target of targets) {
    say(`${target}: from seed ${seed}`)
    const until = performance.now() + (minutes * 60_000) / targets.length
    const goesOn = () => performance.now() < until
    const outcome = await runTarget(benches, target, {
      seed,
      goesOn,
      inputsMax: Number.POSITIVE_INFINITY,
      corpus: corpusOf(target),
      keep,
    })
    say(`${target}: ${outcome.inputs} inputs, ${outcome.found.length} found`)
    found.push(...outcome.found)
  }
  for (const { target, seed, fault, path } of found) {
    say(`npm run fuzz -- --target ${target} --seed ${seed}\n  ${fault}\n  kept small as ${path}`)
  }
  return found.length === 0
}

/** Shows the input of one seed, and what comes of it. */
async function replay(seed: number): Promise<boolean> {
  let isWell = true
  for (const target of targets) {
    const input = inputOf(target, seed, corpusOf(target))
    say(`${target}, seed ${seed}: ${JSON.stringify(input.toString('latin1').slice(0, 2_000))}`)
    const fault = await tryOnce(benches.of(target), input)
    say(fault ?? 'well taken')
    if (fault !== undefined) isWell = false
  }
  return isWell
}

function targetsOf(names: readonly string[]): readonly TargetName[] {
  const unknown = names.filter((name) => !isTargetName(name))
  if (unknown.length > 0)
    throw new Error(`no target ${unknown.join()}; there are ${TARGET_NAMES.join()}`)
  return names.length === 0 ? TARGET_NAMES : names.filter(isTargetName)
}

function seedOf(text: string): number {
  const seed = Number(text)
  if (!Number.isSafeInteger(seed)) throw new Error(`${text} is no seed`)
  return seed
}

function say(line: string): void {
  process.stdout.write(`${line}\n`)
}
