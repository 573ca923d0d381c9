/** Types of `run-tests.mjs`. */
import type { Summary } from './tap-summary.mjs'
import type { Time } from './times-table.mjs'

export type RunOptions = {
  readonly checks?: readonly { readonly name: string; readonly args: readonly string[] }[]
  readonly limitS?: number
  readonly graceS?: number
  readonly env?: Readonly<Record<string, string | undefined>>
  readonly processes?: number
  readonly tapFile?: string
  readonly moduleOf?: (file: string) => string
  readonly againMax?: number
  readonly tell?: (line: string) => void
}

export type RunResult = {
  readonly passed: boolean
  readonly times: readonly Time[]
  readonly summary: Summary
}

export function runTests(files: readonly string[], options?: RunOptions): Promise<RunResult>
