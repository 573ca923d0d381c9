/** A simulated store, and the connection of a process to it. */
import type { Network } from './network.ts'
import type { SimProcess, Simulation } from './simulation.ts'

/** A store that processes call: it answers, refuses, or freezes. */
export class StoreHost {
  readonly host: string
  readonly sim: Simulation
  /** Rises with each start. Work of an earlier start is dropped. */
  incarnation = 1
  /** Requests without an answer. Each is told when the server ends. */
  readonly open = new Set<() => void>()
  /** Share of answers that are lost although the work was done. */
  answerLoss = 0
  /** The most that is added to the time of a request. */
  slowMs = 0
  #mode: 'up' | 'down' | 'frozen' = 'up'
  #missed: (() => void)[] = []

  constructor(sim: Simulation, host: string) {
    this.sim = sim
    this.host = host
  }

  get isUp(): boolean {
    return this.#mode === 'up'
  }

  get isDown(): boolean {
    return this.#mode === 'down'
  }

  /** Ends as by kill -9. Stored data remains. */
  kill(): void {
    if (this.#mode === 'down') return
    this.#mode = 'down'
    this.incarnation += 1
    this.#missed = []
    this.sim.note(() => `${this.host} is killed`)
    for (const reset of this.open) reset()
    this.open.clear()
  }

  freeze(): void {
    if (this.#mode !== 'up') return
    this.#mode = 'frozen'
    this.sim.note(() => `${this.host} stands still`)
  }

  /** Starts or continues. */
  start(): void {
    if (this.#mode === 'up') return
    this.#mode = 'up'
    this.sim.note(() => `${this.host} is there again`)
    for (const run of this.#missed.splice(0)) run()
  }

  /** Runs when the server does its next work; never when it ends before. */
  arrive(run: () => void): void {
    if (this.#mode === 'frozen') this.#missed.push(run)
    else run()
  }

  /** Runs after some work, unless the server ends before. */
  work(ms: number, run: () => void): void {
    const { incarnation } = this
    const slow = this.slowMs > 0 ? this.sim.random.between(0, this.slowMs) : 0
    this.sim.after(ms + slow, () => {
      this.arrive(() => {
        if (this.incarnation === incarnation) run()
      })
    })
  }
}

export type Reply<T> = {
  ok(value: T): void
  fail(error: Error): void
}

export type Failures = {
  /** The server refuses, or the connection is reset. */
  readonly broken: () => Error
  readonly late: () => Error
}

/** The connection of one process to a store. */
export class StoreLine {
  readonly process: SimProcess
  readonly store: StoreHost
  readonly #network: Network

  constructor(process: SimProcess, store: StoreHost, network: Network) {
    this.process = process
    this.store = store
    this.#network = network
  }

  /** True when messages pass in both directions and the server works. */
  isWhole(): boolean {
    return this.store.isUp && this.#network.isWhole(this.process.host, this.store.host)
  }

  /** Sends without waiting for an answer. */
  tell(run: () => void): void {
    if (!this.process.alive) return
    this.#network.link(this.process.host, this.store.host).send(undefined, () => {
      if (!this.store.isDown) this.store.arrive(run)
    })
  }

  /** A message of the server that is not an answer. */
  push(run: () => void, onLost?: () => void): void {
    const link = this.#network.link(this.store.host, this.process.host)
    link.send(this.process, run, onLost)
  }

  /**
   * Sends a request; `work` runs at the server. The work may be done although this fails.
   * @throws what `failures` make.
   */
  ask<T>(timeoutMs: number, failures: Failures, work: (reply: Reply<T>) => void): Promise<T> {
    const { process, store } = this
    return new Promise((resolve, reject) => {
      if (!process.alive) return
      let isOver = false
      const end = (finish: () => void) => {
        if (isOver) return
        isOver = true
        cancel()
        finish()
      }
      const cancel = process.timer(timeoutMs, () => end(() => reject(failures.late())))
      const fail = () => end(() => reject(failures.broken()))
      const onLost = () => process.io(0, fail)
      const broken = () => this.push(fail, onLost)
      const arrive = () => {
        if (store.isDown) broken()
        else store.arrive(() => this.#work(work, { resolve, reject, end, broken, onLost }))
      }
      this.#network.link(process.host, store.host).send(undefined, arrive, onLost)
    })
  }

  #work<T>(
    work: (reply: Reply<T>) => void,
    caller: {
      resolve: (value: T) => void
      reject: (error: Error) => void
      end: (finish: () => void) => void
      broken: () => void
      onLost: () => void
    },
  ): void {
    const { store } = this
    const answer = (finish: () => void) => {
      if (!store.open.delete(caller.broken)) return
      if (!store.sim.random.chance(store.answerLoss)) {
        this.push(() => caller.end(finish), caller.onLost)
      } else if (store.sim.random.chance(0.7)) caller.broken()
    }
    store.open.add(caller.broken)
    work({
      ok: (value) => answer(() => caller.resolve(value)),
      fail: (error) => answer(() => caller.reject(error)),
    })
  }
}
