/** Compiles `index.ts` or `index.js` of a plugin for the sandbox. */

import { createHash } from 'node:crypto'
import { createGate } from '../../core/gate.ts'
import { PLUGIN_COMPILES_MAX, PLUGIN_FILE_BYTES_MAX } from '../../core/limits/limits.ts'
import type { PluginCode } from '../../project/plugin-ports.ts'
import { type Compiled, runCompiler } from './compiler.ts'

/** Sources that wait for a compiler, and compiled ones kept, in characters. */
const PLUGIN_SOURCES_WAITING_MAX = 1_000
const PLUGIN_SOURCES_KEPT_CHARS_MAX = 16_777_216

export type PluginSource = Extract<PluginCode, { kind: 'source' }>

/**
 * Removes types and makes ES modules CommonJS. A script without exports stays a script. A few
 * sources are compiled at a time and the others wait. Recent results are cached.
 */
export type CompileSource = (code: PluginSource) => Promise<Compiled>

const OUTPUT_CHARS_MAX = 4 * PLUGIN_FILE_BYTES_MAX

/** Rejects when the compiler cannot run or too many sources wait. Both may be tried again. */
export function createSourceCompiler(): CompileSource {
  const kept = new KeptTexts(PLUGIN_SOURCES_KEPT_CHARS_MAX)
  const gate = createGate({
    runningMax: PLUGIN_COMPILES_MAX,
    waitingMax: PLUGIN_SOURCES_WAITING_MAX,
    refuse: () => new Error('too many sources wait'),
  })

  return async (code) => {
    const key = createHash('sha256').update(`${code.file}\0${code.source}`).digest('base64')
    const known = kept.get(key)
    if (known !== undefined) return { compiled: known, error: null }
    return await gate.run(async () => {
      const answer = await compile(code)
      if (answer.error === null) kept.set(key, answer.compiled)
      return answer
    })
  }
}

function compile({ file, source }: PluginSource): Promise<Compiled> {
  const loader = file === 'index.ts' ? 'ts' : 'js'
  return runCompiler(source, {
    file,
    // A dynamic import becomes a `require`, which admits what a plugin may import.
    arguments: [
      `--loader=${loader}`,
      '--format=cjs',
      '--target=es2022',
      '--supported:dynamic-import=false',
    ],
    outputCharsMax: OUTPUT_CHARS_MAX,
  })
}

/** A cache of texts by key, bounded in characters. The least recently used are deleted first. */
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
