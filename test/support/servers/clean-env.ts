/** Programs that find nothing of the shell's settings. */
import { type ChildProcessByStdio, spawn } from 'node:child_process'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import { packageRoot } from '../../../src/core/package-root.ts'

/** The product, as an operator starts it. */
export const SLUICE = [process.execPath, join(packageRoot, 'bin', 'sluice')]

/** All that a program under test finds in its environment. */
export function cleanEnv(settings: Readonly<Record<string, string>> = {}): Record<string, string> {
  const own = ['PATH', 'HOME'].map((name): [string, string] => [name, process.env[name] ?? ''])
  return { ...Object.fromEntries(own), ...settings }
}

/** Starts a program with this environment: `env -i` clears also what the test runner gives to node processes. */
export function spawnClean(
  program: readonly string[],
  env: Readonly<Record<string, string>>,
  cwd?: string,
): ChildProcessByStdio<null, Readable, Readable> {
  const assignments = Object.entries(env).map(([name, value]) => `${name}=${value}`)
  // It becomes the program itself.
  return spawn('env', ['-i', ...assignments, ...program], {
    cwd,
    stdio: ['ignore', 'pipe', 'pipe'],
  })
}
