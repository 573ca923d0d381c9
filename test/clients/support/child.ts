import { join } from 'node:path'
import { packageRoot } from '../../../src/core/package-root.ts'
import { cleanEnv, spawnClean } from '../../support/servers/clean-env.ts'

const TIME_MS_MAX = 600_000

/**
 * Runs a driver of `test/clients/drivers` in a process of its own, since versions of one library do
 * not share one gladly, and answers the JSON that it printed last. `task` is its one argument, as
 * JSON. The environment is empty but for `settings`.
 * @throws {Error} with its output when it fails or takes ten minutes.
 */
export async function runDriver<Task extends object, Seen>(
  program: readonly string[],
  driver: string,
  task: Task,
  settings: Readonly<Record<string, string>> = {},
): Promise<Seen> {
  const script = join(packageRoot, 'test', 'clients', 'drivers', driver)
  const output = await runProgram([...program, script, JSON.stringify(task)], { settings })
  return JSON.parse(output.trimEnd().split('\n').at(-1) ?? '') as Seen
}

/**
 * Output of a program. It has none of the shell's settings.
 * @throws {Error} with its output when it fails or takes ten minutes.
 */
export async function runProgram(
  program: readonly string[],
  { settings = {}, folder }: { settings?: Readonly<Record<string, string>>; folder?: string } = {},
): Promise<string> {
  const child = spawnClean(program, cleanEnv(settings), folder)
  let output = ''
  let errors = ''
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    output += text
  })
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    errors += text
  })
  const timer = setTimeout(() => child.kill('SIGKILL'), TIME_MS_MAX)
  const code = await new Promise((resolve) => {
    child.once('error', (error) => resolve(error.message))
    child.once('close', (code, signal) => resolve(code ?? signal))
  })
  clearTimeout(timer)
  const name = program.slice(0, 2).join(' ')
  if (code !== 0) throw new Error(`${name} ended with ${code}\n${errors}\n${output}`)
  return output
}
