/** The server's side of one project's thread. A thread that has ended answers nothing. */
import { Worker } from 'node:worker_threads'
import type { Clock } from '../../core/clock.ts'
import type { Log } from '../../core/log.ts'
import { threadScript } from '../../core/thread-script.ts'
import type { PluginError, PluginHost } from '../ports.ts'
import { Beat } from './beat.ts'
import type { Engine } from './engine.ts'
import { answerHost } from './host-ops.ts'
import { type MemoryShare, MemoryTotal } from './memory-total.ts'
import {
  type CallRequest,
  type Cut,
  type HostQuestion,
  LOST,
  type Loaded,
  type LoadRequest,
  type ThreadData,
  type ThreadReply,
  type ThreadRequest,
  timeoutError,
} from './protocol.ts'

/** A thread's own heap and stack: texts on their way, and the interpreter's recursion. */
const SANDBOX_THREAD_HEAP_MIB = 256
const SANDBOX_THREAD_STACK_MIB = 16
/** Interval of looking for threads without an answer. */
const SANDBOX_WATCH_MS = 250

export type ProjectThreadDeps = {
  readonly clock: Clock
  readonly log: Log
  readonly engine: Engine
  /** The memory of all threads, and its bound. */
  readonly memory: Omit<MemoryShare, 'own'>
  /** Milliseconds beyond the time limit for work that does not look at a clock. */
  readonly graceMs: number
}
export type LoadReply = Loaded | { readonly error: PluginError }
export type CallReply =
  | { readonly kind: 'done'; readonly text: string }
  | ({ readonly kind: 'cut' } & Cut)

type Loading = { readonly budgetMs: number; settle(reply: LoadReply): void }
type Calling = {
  readonly sandbox: number
  readonly budgetMs: number
  settle(reply: CallReply): void
}
/** A sandbox that is loaded or being loaded. */
type Guest = { readonly host: PluginHost; readonly gone: AbortController }

export class ProjectThread {
  readonly #deps: ProjectThreadDeps
  readonly #worker: Worker
  readonly #beat: Beat
  readonly #guests = new Map<number, Guest>()
  readonly #loads = new Map<number, Loading>()
  readonly #calls = new Map<number, Calling>()
  readonly #exited: Promise<void>
  #cancelWatch: (() => void) | undefined
  /** The sandbox in which the thread was stuck when it was ended. */
  #stuckIn: number | undefined
  #isEnding = false
  #hasEnded = false

  /** @param onEnd called once, after all calls under way were answered. */
  constructor(deps: ProjectThreadDeps, onEnd: () => void) {
    this.#deps = deps
    const beat = Beat.share()
    this.#beat = new Beat(beat)
    const memory = { ...deps.memory, own: MemoryTotal.word() }
    const data: ThreadData = { engine: deps.engine, beat, memory }
    this.#worker = new Worker(threadScript('./sandbox-worker', import.meta.url), {
      workerData: data,
      // The thread gets none of the server's settings.
      env: {},
      resourceLimits: {
        maxOldGenerationSizeMb: SANDBOX_THREAD_HEAP_MIB,
        stackSizeMb: SANDBOX_THREAD_STACK_MIB,
      },
    })
    this.#worker.unref()
    this.#worker.on('message', (reply: ThreadReply) => this.#receive(reply))
    this.#worker.on('error', (error) => deps.log.warn('plugin thread failed', { error }))
    this.#exited = new Promise((resolve) => {
      this.#worker.on('exit', (exitCode) => {
        if (!this.#isEnding) deps.log.warn('plugin thread ended', { exitCode })
        new MemoryTotal(memory).giveBack()
        this.#ended()
        onEnd()
        resolve()
      })
    })
  }

  /** Sandboxes that are loaded or being loaded. */
  get size(): number {
    return this.#guests.size
  }

  /** Milliseconds that its sandboxes have computed since the last call of this. */
  takeSpent(): number {
    return this.#beat.takeSpent()
  }

  has(sandbox: number): boolean {
    return this.#guests.has(sandbox)
  }

  load(request: LoadRequest, host: PluginHost): Promise<LoadReply> {
    if (this.#hasEnded) return Promise.resolve({ error: LOST })
    return new Promise((resolve) => {
      this.#guests.set(request.sandbox, { host, gone: new AbortController() })
      this.#loads.set(request.sandbox, { budgetMs: request.loadMs, settle: resolve })
      this.#post({ kind: 'load', ...request })
    })
  }

  call(request: CallRequest): Promise<CallReply> {
    const lost: CallReply = { kind: 'cut', error: LOST, text: '', isLost: true, isExact: false }
    if (!this.has(request.sandbox)) return Promise.resolve(lost)
    return new Promise((resolve) => {
      const { sandbox, budgetMs } = request
      this.#calls.set(request.call, { sandbox, budgetMs, settle: resolve })
      this.#post({ kind: 'call', ...request })
    })
  }

  unload(sandbox: number): void {
    if (!this.has(sandbox)) return
    this.#forget(sandbox)
    this.#post({ kind: 'unload', sandbox })
  }

  /** Fails the calls under way. Resolves when the thread has ended. */
  async end(): Promise<void> {
    this.#isEnding = true
    await this.#worker.terminate()
    await this.#exited
  }

  #receive(reply: ThreadReply): void {
    switch (reply.kind) {
      case 'loaded':
        this.#settleLoad(reply.sandbox, reply)
        return
      case 'refused':
        this.#forget(reply.sandbox)
        this.#settleLoad(reply.sandbox, { error: reply.error })
        return
      case 'lost':
        this.#forget(reply.sandbox)
        return
      case 'done':
      case 'cut':
        this.#settleCall(reply.call, reply)
        return
      case 'ask':
        void this.#answer(reply)
        return
      case 'log':
        this.#guests.get(reply.sandbox)?.host.log(reply.type, reply.message)
        return
      default:
        reply satisfies never
    }
  }

  async #answer(question: HostQuestion): Promise<void> {
    const guest = this.#guests.get(question.sandbox)
    if (guest === undefined) return
    const answer = await answerHost(guest.host, question, guest.gone.signal)
    if (this.#guests.get(question.sandbox) === guest) this.#post({ kind: 'answer', ...answer })
  }

  #post(request: ThreadRequest): void {
    if (this.#hasEnded) return
    this.#worker.postMessage(request)
    if (this.#isBusy()) {
      this.#worker.ref()
      this.#watch()
    }
  }

  #isBusy(): boolean {
    return this.#calls.size + this.#loads.size > 0
  }

  #settleLoad(sandbox: number, reply: LoadReply): void {
    const loading = this.#loads.get(sandbox)
    this.#loads.delete(sandbox)
    if (!this.#isBusy()) this.#worker.unref()
    loading?.settle(reply)
  }

  #settleCall(call: number, reply: CallReply): void {
    const calling = this.#calls.get(call)
    this.#calls.delete(call)
    // An idle thread must not keep the process alive, a busy one must.
    if (!this.#isBusy()) this.#worker.unref()
    calling?.settle(reply)
  }

  #forget(sandbox: number): void {
    this.#guests.get(sandbox)?.gone.abort()
    this.#guests.delete(sandbox)
  }

  /**
   * Ends the thread when it stays in a sandbox for too long: parts of the engine do not check the
   * clock. Pauses of the server itself do not count.
   */
  #watch(): void {
    if (this.#cancelWatch !== undefined) return
    const { clock, log, graceMs } = this.#deps
    let last = { ...this.#beat.read(), at: clock.monotonic() }
    let stuckMs = 0
    const look = () => {
      this.#cancelWatch = undefined
      if (this.#hasEnded || !this.#isBusy()) return
      const now = { ...this.#beat.read(), at: clock.monotonic() }
      const isStuck = now.count % 2 !== 0 && now.count === last.count
      stuckMs = isStuck ? stuckMs + Math.min(now.at - last.at, 2 * SANDBOX_WATCH_MS) : 0
      last = now
      if (stuckMs > now.allowedMs + graceMs) {
        log.warn('plugin thread did not answer', { sandbox: now.sandbox })
        this.#stuckIn = now.sandbox
        void this.end()
        return
      }
      this.#cancelWatch = clock.after(SANDBOX_WATCH_MS, look)
    }
    this.#cancelWatch = clock.after(SANDBOX_WATCH_MS, look)
  }

  #ended(): void {
    this.#hasEnded = true
    this.#cancelWatch?.()
    for (const sandbox of [...this.#guests.keys()]) this.#forget(sandbox)
    const errorOf = (sandbox: number, budgetMs: number) =>
      sandbox === this.#stuckIn ? timeoutError(budgetMs) : LOST
    for (const [sandbox, { budgetMs }] of [...this.#loads]) {
      this.#settleLoad(sandbox, { error: errorOf(sandbox, budgetMs) })
    }
    for (const [call, { sandbox, budgetMs }] of [...this.#calls]) {
      const error = errorOf(sandbox, budgetMs)
      this.#settleCall(call, { kind: 'cut', error, text: '', isLost: true, isExact: false })
    }
  }
}
