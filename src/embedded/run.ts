/** Runs short programs of Postgres. */
import { execFile } from 'node:child_process'
import type { Account } from './account.ts'

/**
 * The environment of Postgres's programs. `TZ` saves initdb a search through every time zone file.
 * The locale makes messages English, from which readiness is read.
 */
export const POSTGRES_ENV: Readonly<Record<string, string>> = {
  PATH: '/usr/local/bin:/usr/bin:/bin',
  LC_ALL: 'C',
  TZ: 'UTC',
}

export type RunResult =
  | { readonly kind: 'ran'; readonly stdout: string }
  | { readonly kind: 'failed'; readonly output: string }

/** Runs a short program as `account` and captures its output. Never throws. */
export function runAs(
  account: Account | undefined,
  program: string,
  args: readonly string[],
  cwd: string,
): Promise<RunResult> {
  return new Promise((resolve) => {
    const options = { ...account, cwd, env: POSTGRES_ENV, maxBuffer: 1_048_576 }
    execFile(program, args, options, (error, stdout, stderr) => {
      if (error === null) resolve({ kind: 'ran', stdout })
      else resolve({ kind: 'failed', output: stderr.trim() || stdout.trim() || error.message })
    })
  })
}
