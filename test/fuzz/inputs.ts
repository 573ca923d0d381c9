/** Makes inputs out of numbers, and knows the inputs of the corpus. */
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { packageRoot } from '../../src/core/package-root.ts'
import { createRandom } from '../sim/random.ts'
import { GRAMMARS } from './benches.ts'
import { mutate, mutateJson } from './mutate.ts'
import { TARGET_NAMES, type TargetName } from './target.ts'

const CORPUS = join(packageRoot, 'test', 'fuzz', 'corpus')

export type CorpusFile = { readonly name: string; readonly input: Buffer }

/** Adds an input that failed, under the seed that it was made of. Answers its path. */
export function keep(target: TargetName, seed: number, input: Buffer): string {
  const path = join(CORPUS, target, `seed-${seed}`)
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, input)
  return path
}

/** Inputs that failed once, in order of their names. */
export function corpusOf(target: TargetName): readonly CorpusFile[] {
  const folder = join(CORPUS, target)
  try {
    return readdirSync(folder)
      .sort()
      .map((name) => ({ name, input: readFileSync(join(folder, name)) }))
  } catch {
    return [] // Nothing has failed yet.
  }
}

/**
 * The input of a number: out of the grammar, half of them changed, some out of the corpus. The same
 * for the same number and corpus.
 */
export function inputOf(target: TargetName, seed: number, corpus: readonly CorpusFile[]): Buffer {
  const random = createRandom(seed + 0x1_0000 * TARGET_NAMES.indexOf(target))
  const make = () => GRAMMARS[target](random)
  const kept = corpus.map(({ input }) => input)
  const whole = kept.length > 0 && random.chance(0.1) ? random.pick(kept) : make()
  if (random.chance(0.5)) return whole
  const changed = random.chance(0.6) ? mutateJson(random, whole) : undefined
  return changed ?? mutate(random, whole, [make(), ...kept])
}
