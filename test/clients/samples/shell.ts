/** One shell of a reader, who types block after block. */
import { spawn } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'

export type Shell = {
  /**
   * Output of the lines, both streams. Variables stay.
   * @param mayFail whether a command that fails is no failure of the lines.
   * @throws {Error} with the output when a command fails.
   */
  run(code: string, mayFail: boolean): Promise<string>
  close(): Promise<void>
}

const END = '--end of these lines--'

/** @param folder where it is; `scripts` takes the lines as files. */
export function openShell(
  folder: string,
  scripts: string,
  env: Readonly<Record<string, string>>,
): Shell {
  const assignments = Object.entries(env).map(([name, value]) => `${name}=${value}`)
  const child = spawn('env', ['-i', ...assignments, 'bash', '--norc', '--noprofile'], {
    cwd: folder,
    stdio: ['pipe', 'pipe', 'pipe'],
  })
  let output = ''
  let wake = () => {}
  const take = (text: string) => {
    output += text
    wake()
  }
  child.stdout.setEncoding('utf8').on('data', take)
  child.stderr.setEncoding('utf8').on('data', take)
  // A shell that ends early is seen by its end; what was meant for it goes nowhere.
  child.stdin.on('error', () => wake())
  let ended = false
  const end = new Promise<void>((resolve) => {
    child.once('close', () => {
      ended = true
      wake()
      resolve()
    })
  })
  let count = 0
  return {
    async run(code, mayFail) {
      count += 1
      const file = join(scripts, `lines-${count}.sh`)
      writeFileSync(file, `${code}\n`)
      output = ''
      const strict = mayFail ? 'set +e -uo pipefail' : 'set -euo pipefail'
      child.stdin.write(`${strict}; . '${file}' </dev/null; echo '${END}'\n`)
      while (!ended && !output.includes(END)) await new Promise<void>((resolve) => (wake = resolve))
      if (ended) throw new Error(`failed:\n${code}\n${output}`)
      return output.slice(0, output.indexOf(END))
    },
    async close() {
      child.stdin.end()
      await end
    },
  }
}
