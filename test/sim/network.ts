/** The network between processes and stores: messages arrive late or never. */

import type { CallContext } from '../../src/wire/call.ts'
import type { CallOptions } from '../../src/wire/caller.ts'
import { NoAnswerError } from '../../src/wire/no-answer.ts'
import type { SimProcess, Simulation } from './simulation.ts'

/** The messages from one host to another, in order. */
export class Link {
  /** Nothing arrives: messages are lost, or wait until the link is whole again. */
  cut: 'no' | 'lose' | 'hold' = 'no'
  /** Share of the messages that are lost, as when a connection breaks. */
  loss = 0
  /** The most that is added to the time of a message. */
  slowMs = 0
  readonly #sim: Simulation
  readonly #held: { owner: SimProcess | undefined; run: () => void }[] = []
  /**
   * Senders of lost messages. They learn of the loss when the link is whole again and the
   * connection turns out to be broken.
   */
  #lost: (() => void)[] = []
  #lastAt = 0

  constructor(sim: Simulation) {
    this.#sim = sim
  }

  /**
   * Runs at the other end, as an event of `owner`.
   * @param onLost called when the message is lost, once the sender can know it.
   */
  send(owner: SimProcess | undefined, run: () => void, onLost: () => void = () => {}): void {
    const { random } = this.#sim
    if (this.cut === 'lose') {
      this.#lost.push(onLost)
      return
    }
    if (random.chance(this.loss)) {
      this.#sim.after(random.between(1, 400), onLost)
      return
    }
    if (this.cut === 'hold') {
      this.#held.push({ owner, run })
      return
    }
    const usual = random.chance(0.02) ? random.between(5, 60) : random.between(0.1, 1)
    const late = this.slowMs > 0 ? random.between(0, this.slowMs) : 0
    this.#lastAt = Math.max(this.#lastAt + 0.001, this.#sim.now + usual + late)
    this.#sim.after(this.#lastAt - this.#sim.now, run, owner)
  }

  isWhole(): boolean {
    return this.cut === 'no'
  }

  heal(): void {
    this.cut = 'no'
    this.loss = 0
    this.slowMs = 0
    for (const { owner, run } of this.#held.splice(0)) this.send(owner, run)
    const lost = this.#lost
    this.#lost = []
    for (const tell of lost) this.#sim.after(this.#sim.random.between(0.2, 20), tell)
  }
}

export type SimHandler = (request: object, context: CallContext) => Promise<object>

export type Listener = {
  readonly process: SimProcess
  isOpen: boolean
  readonly handlers: ReadonlyMap<string, SimHandler>
}

const NEVER = new AbortController().signal

export class Network {
  readonly #sim: Simulation
  readonly #links = new Map<string, Link>()
  /** By host, in the order of their starts. */
  readonly #listeners = new Map<string, Listener[]>()

  constructor(sim: Simulation) {
    this.#sim = sim
  }

  link(from: string, to: string): Link {
    const name = `${from}>${to}`
    const known = this.#links.get(name)
    if (known !== undefined) return known
    const link = new Link(this.#sim)
    this.#links.set(name, link)
    return link
  }

  heal(): void {
    for (const link of this.#links.values()) link.heal()
  }

  isWhole(from: string, to: string): boolean {
    return this.link(from, to).isWhole() && this.link(to, from).isWhole()
  }

  /** Whether the port answers that nobody listens. It is unknown while nothing answers. */
  refuses(from: SimProcess, host: string): Promise<boolean> {
    return new Promise((resolve) => {
      this.link(from.host, host).send(undefined, () => {
        const isRefused = this.#listener(host) === undefined
        this.link(host, from.host).send(from, () => resolve(isRefused))
      })
    })
  }

  /**
   * A unary call. A process that dies during the call resets the connection; a frozen one does not
   * answer.
   * @throws {NoAnswerError}, or what the handler throws.
   */
  call(
    from: SimProcess,
    host: string,
    path: string,
    request: object,
    options: CallOptions,
  ): Promise<object> {
    const there = this.link(from.host, host)
    const back = this.link(host, from.host)
    return new Promise((resolve, reject) => {
      if (!from.alive) return
      let isOver = false
      const end = (finish: () => void) => {
        if (isOver) return
        isOver = true
        cancel()
        options.signal?.removeEventListener('abort', onAbort)
        finish()
      }
      const failed = (code: 'unavailable' | 'deadline_exceeded' | 'cancelled', sent: boolean) =>
        end(() => reject(new NoAnswerError(code, `${path} at ${host}: ${code}`, { sent })))
      const onAbort = () => failed('cancelled', true)
      const cancel = from.timer(options.timeoutMs, () => failed('deadline_exceeded', true))
      // The signal of a call that a handler forwards never aborts here.
      const signal = options.signal === NEVER ? undefined : options.signal
      signal?.addEventListener('abort', onAbort, { once: true })
      const onLost = () => from.io(0, () => failed('unavailable', true))
      const arrive = () => {
        const listener = this.#listener(host)
        if (listener === undefined) {
          back.send(from, () => failed('unavailable', false), onLost)
          return
        }
        this.#serve(listener, { path, request, options }, (finish) => {
          const tell = () => {
            if (finish === 'reset') failed('unavailable', true)
            else if ('value' in finish) end(() => resolve(finish.value))
            else end(() => reject(finish.error))
          }
          back.send(from, tell, onLost)
        })
      }
      there.send(undefined, arrive, onLost)
    })
  }

  /** An address leads to the newest process that has it. */
  listen(listener: Listener): void {
    const { host, onEnd } = listener.process
    this.#listeners.set(host, [...(this.#listeners.get(host) ?? []), listener])
    onEnd.add(() => {
      const others = this.#listeners.get(host)?.filter((each) => each !== listener)
      this.#listeners.set(host, others ?? [])
    })
  }

  /** Every process that listens there; calls reach the newest. */
  served(host: string): readonly SimProcess[] {
    const open = this.#listeners.get(host)?.filter(({ isOpen }) => isOpen) ?? []
    return open.map(({ process }) => process)
  }

  #listener(host: string): Listener | undefined {
    return this.#listeners.get(host)?.findLast(({ isOpen }) => isOpen)
  }

  #serve(
    { process, handlers }: Listener,
    { path, request, options }: { path: string; request: object; options: CallOptions },
    answer: (finish: 'reset' | { value: object } | { error: unknown }) => void,
  ): void {
    const handler = handlers.get(path)
    if (handler === undefined) throw new Error(`no handler for ${path}`)
    const onEnd = () => answer('reset')
    process.onEnd.add(onEnd)
    const say = (finish: { value: object } | { error: unknown }) => {
      if (!process.alive) return
      process.onEnd.delete(onEnd)
      answer(finish)
    }
    const { timeoutMs } = options
    const metadata = new Map(Object.entries(options.metadata))
    process.io(0, () => {
      handler(request, { metadata, signal: NEVER, timeoutMs }).then(
        (value) => say({ value }),
        (error: unknown) => say({ error }),
      )
    })
  }
}
