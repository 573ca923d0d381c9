/** `index.ts` or `index.js` of a plugin, made into what the sandbox runs. */
import { createHash } from 'node:crypto'
import { PLUGIN_COMPILES_MAX, PLUGIN_FILE_BYTES_MAX } from '../../core/limits/limits.ts'
import {
  PLUGIN_SOURCES_KEPT_CHARS_MAX,
  PLUGIN_SOURCES_WAITING_MAX,
} from '../../core/limits/limits-plugins.ts'
import type { PluginCode } from '../ports.ts'
import { type Compiled, runCompiler } from './compiler.ts'

export type PluginSource = Extract<PluginCode, { kind: 'source' }>

/**
 * Strips types and makes ES modules CommonJS; a script without exports stays one. A few sources at
 * a time, the others wait; what was compiled lately is kept.
 */
export type CompileSource = (code: PluginSource) => Promise<Compiled>

const OUTPUT_CHARS_MAX = 4 * PLUGIN_FILE_BYTES_MAX

/** Rejects when the compiler cannot be run, or too many sources wait; both may be tried again. */
export function createSourceCompiler(): CompileSource {
  const kept = new KeptTexts(PLUGIN_SOURCES_KEPT_CHARS_MAX)
  const waiting: (() => void)[] = []
  let running = 0

  const takeTurn = async () => {
    if (running < PLUGIN_COMPILES_MAX) {
      running++
      return
    }
    if (waiting.length >= PLUGIN_SOURCES_WAITING_MAX) throw new Error('too many sources wait')
    await new Promise<void>((resolve) => waiting.push(resolve))
  }
  /** Hands the turn on, so that nobody comes in between. */
  const endTurn = () => {
    const next = waiting.shift()
    if (next === undefined) running--
    else next()
  }

  return async (code) => {
    const key = createHash('sha256').update(`${code.file}\0${code.source}`).digest('base64')
    const known = kept.get(key)
    if (known !== undefined) return { compiled: known, error: null }
    await takeTurn()
    try {
      const answer = await compile(code)
      if (answer.error === null) kept.set(key, answer.compiled)
      return answer
    } finally {
      endTurn()
    }
  }
}

function compile({ file, source }: PluginSource): Promise<Compiled> {
  const loader = file === 'index.ts' ? 'ts' : 'js'
  return runCompiler(source, {
    file,
    // A dynamic import becomes a `require`, which knows what a plugin may import.
    arguments: [
      `--loader=${loader}`,
      '--format=cjs',
      '--target=es2022',
      '--supported:dynamic-import=false',
    ],
    outputCharsMax: OUTPUT_CHARS_MAX,
  })
}

/** The texts used last, by key, within a number of characters. */
class KeptTexts {
  readonly #texts = new Map<string, string>()
  readonly #charsMax: number
  #chars = 0

  constructor(charsMax: number) {
    this.#charsMax = charsMax
  }

  get(key: string): string | undefined {
    const text = this.#texts.get(key)
    if (text === undefined) return undefined
    this.#texts.delete(key)
    this.#texts.set(key, text)
    return text
  }

  set(key: string, text: string): void {
    this.#chars += text.length - (this.#texts.get(key)?.length ?? 0)
    this.#texts.delete(key)
    this.#texts.set(key, text)
    for (const [oldest, { length }] of this.#texts) {
      if (this.#chars <= this.#charsMax) return
      this.#texts.delete(oldest)
      this.#chars -= length
    }
  }
}
