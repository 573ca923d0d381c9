/**
 * A process that attacks: prepares what it is told to, then strikes at a rate until it is to stop.
 * It yields the processors to the product and the good clients, so that what it takes for itself is
 * not taken for harm.
 */
import { setPriority } from 'node:os'
import { systemClock } from '../../src/core/clock.ts'
import { AppError } from '../../src/core/code.ts'
import type { Struck, Target } from './attack.ts'
import { ATTACKS } from './attacks.ts'

/** Message to an attacker. `begin` is sent once, after it has reported that it is ready. */
export type Order =
  | { readonly kind: 'prepare'; readonly name: string; readonly target: Target }
  | { readonly kind: 'begin'; readonly ratePerS: number }
  | { readonly kind: 'stop' }

/** Message of an attacker. */
export type Reply =
  | { readonly kind: 'ready' }
  | { readonly kind: 'failed'; readonly reason: string }
  | { readonly kind: 'struck'; readonly struck: Struck }

const NICE = 10
const TICK_MS = 5

const stopped = new AbortController()
let begun: (ratePerS: number) => void = () => {}
const beginning = new Promise<number>((resolve) => {
  begun = resolve
})

process.on('message', (order: Order) => {
  if (order.kind === 'stop') stopped.abort()
  else if (order.kind === 'begin') begun(order.ratePerS)
  else void attack(order.name, order.target)
})
process.on('disconnect', () => process.exit(1))

async function attack(name: string, target: Target): Promise<void> {
  try {
    setPriority(NICE)
    const found = ATTACKS.find((each) => each.name === name)
    if (found === undefined) throw new AppError('not_found', `no attack ${name}`)
    const { strike, end } = await found.prepare(target)
    tell({ kind: 'ready' })
    const ratePerS = await beginning
    const struck = await strikeAway({ strike, openMax: found.openMax, ratePerS })
    end()
    tell({ kind: 'struck', struck })
  } catch (error) {
    tell({ kind: 'failed', reason: error instanceof Error ? error.message : String(error) })
  }
}

async function strikeAway(plan: {
  strike: (number: number) => Promise<string>
  openMax: number
  ratePerS: number
}): Promise<Struck> {
  const startedAt = systemClock.monotonic()
  const cpu = process.cpuUsage()
  const answers: Record<string, number> = {}
  let [strikes, held, open] = [0, 0, 0]
  const one = async (number: number) => {
    open += 1
    const answer = await plan.strike(number)
    open -= 1
    answers[answer] = (answers[answer] ?? 0) + 1
  }
  const elapsedS = () => (systemClock.monotonic() - startedAt) / 1_000
  while (!stopped.signal.aborted) {
    const due = elapsedS() * plan.ratePerS
    for (; strikes + held < due; ) {
      if (open >= plan.openMax) held += 1
      else {
        void one(strikes)
        strikes += 1
      }
    }
    await systemClock.sleep(TICK_MS)
  }
  const seconds = elapsedS()
  const { user, system } = process.cpuUsage(cpu)
  const unanswered = open
  const cpuPercent = (user + system) / 10_000 / seconds
  return { strikes, held, seconds, cpuPercent, answers: { ...answers, unanswered } }
}

function tell(reply: Reply): void {
  process.send?.(reply)
}
