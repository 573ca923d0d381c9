/** Starts the process of an attack, and sends it orders. */
import { type ChildProcess, fork } from 'node:child_process'
import { join } from 'node:path'
import { AppError } from '../../src/core/code.ts'
import { packageRoot } from '../../src/core/package-root.ts'
import type { Struck, Target } from './attack.ts'
import type { Order, Reply } from './attacker.ts'

/** Far beyond what preparing one takes. */
const PATIENT_MS = 60_000

export type RunningAttacker = {
  begin(ratePerS: number): void
  /** @throws {AppError} `internal` when the attacker has failed. */
  stop(): Promise<Struck>
  /** Ends its process at any moment. */
  kill(): void
}

/** Resolves once the attack is prepared. @throws {AppError} `internal` when it cannot be. */
export async function startAttacker(name: string, target: Target): Promise<RunningAttacker> {
  const script = join(packageRoot, 'bench', 'attacks', 'attacker.ts')
  const child = fork(script, { execArgv: ['--import=tsx'] })
  const tell = (order: Order) => void child.send(order)
  const ready = replyOf(child)
  tell({ kind: 'prepare', name, target })
  try {
    await ready
  } catch (error) {
    child.kill('SIGKILL')
    throw error
  }
  return {
    begin: (ratePerS) => tell({ kind: 'begin', ratePerS }),
    async stop() {
      const last = replyOf(child)
      tell({ kind: 'stop' })
      const reply = await last
      if (reply.kind !== 'struck') throw new AppError('internal', 'the attacker did not report')
      return reply.struck
    },
    kill: () => void child.kill('SIGKILL'),
  }
}

function replyOf(child: ChildProcess): Promise<Reply> {
  return new Promise((resolve, reject) => {
    const fail = (reason: string) => reject(new AppError('internal', `the attacker: ${reason}`))
    const late = setTimeout(fail, PATIENT_MS, 'no reply')
    child.once('message', (reply: Reply) => {
      clearTimeout(late)
      if (reply.kind === 'failed') fail(reply.reason)
      else resolve(reply)
    })
    child.once('exit', (code, signal) => {
      clearTimeout(late)
      fail(`ended with ${code ?? signal}`)
    })
  })
}
