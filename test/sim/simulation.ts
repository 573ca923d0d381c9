/**
 * Virtual time for processes that share one thread. Everything that happens is an event of a
 * process, or of the world outside. An event runs to its end, with all its promises, before the
 * next one begins. So it is known at each moment which process is running. The events of a process
 * that was killed are dropped, and those of a stopped process run later.
 */
import type { Clock } from '../../src/core/clock.ts'
import { assert } from '../../src/core/code.ts'
import { createEventQueue, type Timed } from './event-queue.ts'
import { createRandom, type Random } from './random.ts'

type Entry = Timed & {
  readonly owner: SimProcess | undefined
  readonly isTimer: boolean
  readonly run: () => void
  isCancelled: boolean
}

/** No run has so many events unless it loops. */
const STEPS_MAX = 400_000
const NO_CHECK = () => {}
let isRunning = false

export class Simulation {
  /** Milliseconds since the beginning. */
  now = 0
  steps = 0
  /**
   * A hash of the time and owner of every event and of every line of the trace. It is the same for
   * the same seed.
   */
  hash = 0x811c_9dc5
  failure: string | undefined
  /** Lines of the trace; undefined when nobody reads them. */
  readonly lines: string[] | undefined
  readonly random: Random
  readonly #queue = createEventQueue<Entry>()
  #processes = 0
  #current: SimProcess | undefined
  #isStopped = false

  constructor(seed: number, options: { trace: boolean }) {
    this.random = createRandom(seed)
    this.lines = options.trace ? [] : undefined
  }

  process(host: string): SimProcess {
    this.#processes += 1
    return new SimProcess(this, host, this.#processes)
  }

  /** Schedules an event. The returned function cancels it. */
  after(ms: number, run: () => void, owner?: SimProcess, isTimer = false): () => void {
    const entry: Entry = {
      at: this.now + ms,
      tie: this.random.bits(),
      owner,
      isTimer,
      run,
      isCancelled: false,
    }
    this.#queue.push(entry)
    return () => {
      entry.isCancelled = true
    }
  }

  /** Schedules an event that a stopped process has missed, in the order of the calls. */
  again(entry: Entry, order: number): void {
    entry.at = this.now
    entry.tie = order - STEPS_MAX
    this.#queue.push(entry)
  }

  /** Adds a line to the trace. `text` is called only when the trace is kept. */
  note(text: () => string): void {
    if (this.lines === undefined) return
    const line = `${(this.now / 1_000).toFixed(3).padStart(7)} ${text()}`
    this.lines.push(line)
    for (let index = 0; index < line.length; index++) this.#mix(line.charCodeAt(index))
  }

  /** Ends the run with a failure. The first one counts. */
  fail(problem: string): void {
    if (this.failure !== undefined) return
    this.failure = problem
    this.note(() => `VIOLATION ${problem}`)
  }

  stop(): void {
    this.#isStopped = true
  }

  /**
   * Lets time pass until `ms` later, `stop`, or a failure.
   * @param check runs after each event and checks the event's process.
   */
  run(ms: number, check: (owner: SimProcess | undefined) => void = NO_CHECK): Promise<void> {
    const until = this.now + ms
    this.#isStopped = false
    const restore = this.#takeImmediates()
    return new Promise((resolve) => {
      const step = () => {
        if (this.steps > 0) this.#look(check)
        const entry = this.#isStopped || this.failure !== undefined ? undefined : this.#next(until)
        if (entry === undefined) {
          restore()
          this.#current = undefined
          if (!this.#isStopped && this.failure === undefined) this.now = until
          resolve()
          return
        }
        this.#begin(entry)
        // From a microtask: all others, even those that were queued later, run before the tick.
        queueMicrotask(() => process.nextTick(step))
      }
      step()
    })
  }

  #look(check: (owner: SimProcess | undefined) => void): void {
    try {
      check(this.#current)
    } catch (error) {
      this.fail(`check failed: ${describe(error)}`)
    }
  }

  #next(until: number): Entry | undefined {
    for (;;) {
      const entry = this.#queue.pop()
      if (entry === undefined) return undefined
      if (entry.isCancelled || entry.owner?.alive === false) continue
      if (entry.at > until) {
        this.#queue.push(entry)
        return undefined
      }
      if (entry.owner?.isFrozen !== true) return entry
      entry.owner.missed.push(entry)
    }
  }

  #begin(entry: Entry): void {
    this.now = Math.max(this.now, entry.at)
    this.steps += 1
    this.#current = entry.owner
    this.#mix(Math.round(this.now * 1_000))
    this.#mix(entry.owner?.number ?? 0)
    if (this.steps > STEPS_MAX) this.fail(`more than ${STEPS_MAX} events`)
    try {
      entry.run()
    } catch (error) {
      this.fail(`${entry.owner?.name ?? 'world'} threw ${describe(error)}`)
    }
  }

  /** Ticks of the event loop belong to the running process and take no time. */
  #takeImmediates(): () => void {
    assert(!isRunning, 'one run at a time: they share the event loop')
    isRunning = true
    const real = globalThis.setImmediate
    const fake = (run: () => void) => {
      if (this.#current === undefined) throw new Error('no process is running')
      this.#current.immediately(run)
    }
    globalThis.setImmediate = fake as unknown as typeof setImmediate
    return () => {
      isRunning = false
      globalThis.setImmediate = real
    }
  }

  #mix(value: number): void {
    this.hash = Math.imul(this.hash ^ value, 0x0100_0193) >>> 0
    this.hash = (this.hash ^ (this.hash >>> 13)) >>> 0
  }
}

/** One process, from its start to its end. */
export class SimProcess {
  alive = true
  isFrozen = false
  /** The events that it missed while it was stopped. */
  missed: Entry[] = []
  /** Called once, when the process ends in any way. */
  readonly onEnd = new Set<() => void>()
  readonly host: string
  readonly number: number
  readonly name: string
  readonly clock: Clock
  readonly #sim: Simulation
  readonly #immediates: (() => void)[] = []

  constructor(sim: Simulation, host: string, number: number) {
    this.#sim = sim
    this.host = host
    this.number = number
    this.name = `${host}#${number}`
    this.clock = clockOf(sim, this)
  }

  /** An event from outside, such as an answer or a call. */
  io(ms: number, run: () => void): void {
    this.#sim.after(ms, run, this)
  }

  timer(ms: number, run: () => void): () => void {
    // Whole milliseconds and a little late, like a real timer.
    const wait = Math.max(1, Math.trunc(ms)) + this.#sim.random.next() * 0.4
    return this.#sim.after(wait, run, this, true)
  }

  immediately(run: () => void): void {
    this.#immediates.push(run)
    if (this.#immediates.length === 1) this.io(0, () => this.#runImmediate())
  }

  #runImmediate(): void {
    const run = this.#immediates.shift()
    if (this.#immediates.length > 0) this.io(0, () => this.#runImmediate())
    run?.()
  }

  /** SIGKILL: none of its events runs any more. */
  kill(): void {
    if (!this.alive) return
    this.alive = false
    this.missed = []
    this.#sim.note(() => `${this.name} ends`)
    for (const tell of this.onEnd) tell()
  }

  /** SIGSTOP. */
  freeze(): void {
    this.isFrozen = true
    this.#sim.note(() => `${this.name} stands still`)
  }

  /** SIGCONT: due timers and arrived messages run, in either order. */
  thaw(): void {
    if (!this.isFrozen) return
    this.isFrozen = false
    this.#sim.note(() => `${this.name} goes on`)
    const { missed } = this
    this.missed = []
    const timersFirst = this.#sim.random.chance(0.5)
    const timers = missed.filter(({ isTimer }) => isTimer)
    const others = missed.filter(({ isTimer }) => !isTimer)
    const inOrder = timersFirst ? [...timers, ...others] : [...others, ...timers]
    for (const [order, entry] of inOrder.entries()) this.#sim.again(entry, order)
  }
}

function clockOf(sim: Simulation, owner: SimProcess): Clock {
  // The monotonic clocks of machines are unrelated.
  const offset = sim.random.integer(1_000_000)
  const wall = 1_700_000_000_000 + sim.random.integer(10_000)
  return {
    now: () => wall + sim.now,
    monotonic: () => offset + sim.now,
    after: (ms, run) => owner.timer(ms, run),
    sleep: (ms, signal) =>
      new Promise((resolve, reject) => {
        if (signal?.aborted === true) {
          reject(signal.reason)
          return
        }
        const onAbort = () => {
          cancel()
          reject(signal?.reason)
        }
        const cancel = owner.timer(ms, () => {
          signal?.removeEventListener('abort', onAbort)
          resolve()
        })
        signal?.addEventListener('abort', onAbort, { once: true })
      }),
  }
}

function describe(error: unknown): string {
  return error instanceof Error ? (error.stack ?? error.message) : String(error)
}
