/** Tries inputs in a process that may hang or end. */
import { type ChildProcess, fork } from 'node:child_process'
import { join } from 'node:path'
import { packageRoot } from '../../src/core/package-root.ts'
import type { Bench } from './target.ts'

/** An input that has no verdict by then never gets one: each has bounds of far less. */
const PATIENT_MS = 60_000
const CHILD = join(packageRoot, 'test', 'fuzz', 'child.ts')

export function createChildBench(target: 'flags' | 'plugins'): Bench {
  let child: ChildProcess | undefined
  let tail: Promise<unknown> = Promise.resolve()

  const end = async () => {
    const ending = child
    child = undefined
    if (ending === undefined || ending.exitCode !== null || ending.signalCode !== null) return
    const gone = new Promise((resolve) => ending.once('exit', resolve))
    ending.kill('SIGKILL')
    await gone
  }
  const judge = async (input: Buffer) => {
    child ??= fork(CHILD, [target], {
      execArgv: ['--import=tsx', '--max-old-space-size=1024'],
      serialization: 'advanced',
    })
    const verdict = await verdictOf(child, input)
    if (verdict.isLost) await end()
    return verdict.fault
  }
  return {
    // One at a time, so that what it takes is the input's.
    judge(input) {
      const verdict = tail.then(() => judge(input))
      tail = verdict
      return verdict
    },
    look: async () => undefined,
    renew: end,
    close: end,
  }
}

type Verdict = { readonly fault: string | undefined; readonly isLost: boolean }

function verdictOf(child: ChildProcess, input: Buffer): Promise<Verdict> {
  return new Promise((resolve) => {
    const settle = (fault: string | undefined, isLost: boolean) => {
      clearTimeout(late)
      child.off('message', onMessage).off('exit', onExit)
      resolve({ fault, isLost })
    }
    const onMessage = (message: { readonly fault?: string }) => settle(message.fault, false)
    const onExit = (code: number | null, signal: string | null) =>
      settle(`the process ended with ${code ?? signal}`, true)
    const late = setTimeout(() => settle('there was no answer', true), PATIENT_MS)
    child.on('message', onMessage).on('exit', onExit)
    child.send({ input })
  })
}
