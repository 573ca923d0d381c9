/** Runs commands of the product. */
import { cleanEnv, SLUICE, spawnClean } from './clean-env.ts'
import type { Settings } from './product.ts'

export type Ran = { readonly status: number; readonly stdout: Buffer; readonly stderr: string }

/** Runs one command of the product to its end, with these settings and no others. */
export async function runCommand(args: readonly string[], settings: Settings): Promise<Ran> {
  return await beginCommand(args, settings).ended
}

/** As `runCommand`, for a command that is to be stopped. */
export function beginCommand(
  args: readonly string[],
  settings: Settings,
): { readonly kill: (signal: NodeJS.Signals) => void; readonly ended: Promise<Ran> } {
  const child = spawnClean([...SLUICE, ...args], cleanEnv(settings))
  const output: Buffer[] = []
  let stderr = ''
  child.stdout.on('data', (chunk: Buffer) => output.push(chunk))
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    stderr += text
  })
  const ended = new Promise<Ran>((resolve) => {
    child.once('close', (code) => {
      resolve({ status: code ?? -1, stdout: Buffer.concat(output), stderr })
    })
  })
  return { kill: (signal) => child.kill(signal), ended }
}
