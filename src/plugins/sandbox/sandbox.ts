/**
 * One plugin config in its thread: a machine, its calls, and their deadlines. A call that exceeds
 * its time, whether it computes or waits, ends the machine: all its calls are cut, and the sandbox
 * is lost. Its instance makes another one.
 */
import type { Clock } from '../../core/clock.ts'
import { PLUGIN_LOG_PER_S_MAX, SANDBOX_ANSWER_CHARS_MAX } from '../../core/limits/limits-plugins.ts'
import type { LogType, PluginError } from '../ports.ts'
import type { Beat } from './beat.ts'
import type { CpuTime } from './cpu-time.ts'
import { HostAsks } from './host-asks.ts'
import type { MemoryTotal } from './memory-total.ts'
import { type Natives, pureNatives, readText } from './natives.ts'
import {
  type CallRequest,
  type HostAnswer,
  LOST,
  type Loaded,
  type LoadRequest,
  parseErrorText,
  parseLoaded,
  sandboxError,
  type ThreadReply,
  timeoutError,
} from './protocol.ts'
import type { Plain } from './vm/kit.ts'
import type { Outcome, Vm } from './vm.ts'

/** The outcomes of loading a module. */
const USED_UP = sandboxError('The plugin has used up its memory or stack.')

/** The capabilities of a module, or the error that it threw. */
function loadedOf(outcome: Outcome, budgetMs: number): Loaded | { readonly error: PluginError } {
  switch (outcome.kind) {
    case 'expired':
      return { error: timeoutError(budgetMs) }
    case 'broken':
      return { error: USED_UP }
    case 'threw':
      return { error: outcome.error }
    case 'done':
      return parseLoaded(outcome.value)
    default:
      return outcome satisfies never
  }
}

export type SandboxDeps = {
  readonly clock: Clock
  readonly cpuTime: CpuTime
  readonly beat: Beat
  readonly memory: Pick<MemoryTotal, 'add'>
  post(reply: ThreadReply): void
  /** Tells the other sandboxes how many milliseconds they had to wait. */
  heldUp(by: Sandbox, ms: number): void
  lost(sandbox: Sandbox): void
}

type OpenCall = {
  readonly request: CallRequest
  deadline: number
  /** Set once the call has ended inside the machine. */
  ending: { readonly text: string; readonly error: PluginError | undefined } | undefined
}

const LOG_TYPES: ReadonlyMap<Plain, LogType> = new Map(
  (['DEBUG', 'LOG', 'INFO', 'WARN', 'ERROR'] as const).map((type) => [type, type]),
)
/** More than the server keeps, so that the server can count dropped entries. */
const LOGS_PER_S_MAX = 2 * PLUGIN_LOG_PER_S_MAX
const HELD_UP_MS = 1
const NO_MEMORY_LEFT = sandboxError(
  'The plugins of this worker use all the memory that they may: the sandbox starts anew.',
)

export class Sandbox {
  readonly id: number
  readonly #deps: SandboxDeps
  readonly #vm: Vm
  readonly #request: LoadRequest
  readonly #asks: HostAsks
  readonly #calls = new Map<number, OpenCall>()
  #cancelTimer: () => void = () => {}
  /** The time until which work without a call may continue. */
  #backgroundUntil = 0
  #logSecond = 0
  #logs = 0
  #isLost = false
  #pages = 0
  /** True when there was no room for the pages that it took last. */
  #isTooMuch = false

  constructor(deps: SandboxDeps, vm: Vm, request: LoadRequest) {
    this.id = request.sandbox
    this.#deps = deps
    this.#vm = vm
    this.#request = request
    this.#asks = new HostAsks(deps.clock, (hostCall, op, args) => {
      deps.post({ kind: 'ask', sandbox: this.id, hostCall, op, args })
    })
    vm.onProgress = () => this.#extend()
    this.#countMemory()
  }

  load(): void {
    const { code, settings, attachments, loadMs } = this.#request
    const files = [...attachments].map(([key, { contentType, fileName }]) => ({
      key,
      content_type: contentType,
      file_name: fileName,
    }))
    const input = JSON.stringify({ config: settings, attachments: files })
    const now = this.#deps.clock.monotonic()
    this.#backgroundUntil = now + loadMs
    const outcome = this.#enter(now + loadMs, () => this.#vm.load(this.#natives(), code, input))
    const loaded = loadedOf(outcome, loadMs)
    if (!('error' in loaded)) {
      this.#deps.post({ kind: 'loaded', sandbox: this.id, ...loaded })
      this.#plan()
      return
    }
    this.#deps.post({ kind: 'refused', sandbox: this.id, error: loaded.error })
    this.#lose(undefined)
  }

  start(request: CallRequest): void {
    const deadline = this.#deps.clock.monotonic() + request.budgetMs
    const call: OpenCall = { request, deadline, ending: undefined }
    this.#calls.set(request.call, call)
    this.#backgroundUntil = Math.max(this.#backgroundUntil, deadline)
    this.#work(() => this.#vm.start(request.call, request.name, request.text), call)
  }

  answer({ hostCall, isOk, text }: HostAnswer): void {
    if (!this.#asks.answered(hostCall)) return
    this.#work(() => this.#vm.settle(hostCall, isOk, text))
  }

  /** The thread was busy with another sandbox, which does not count as this plugin's time. */
  waited(ms: number): void {
    for (const call of this.#calls.values()) call.deadline += ms
    this.#backgroundUntil += ms
    this.#plan()
  }

  end(): void {
    this.#lose(undefined)
  }

  #work(run: () => Outcome, started?: OpenCall): void {
    const { clock } = this.#deps
    const first = this.#firstCall()?.deadline ?? clock.monotonic() + this.#request.processMs
    const outcome = this.#enter(started?.deadline ?? first, run)
    switch (outcome.kind) {
      case 'expired':
        this.#expire(started)
        return
      case 'broken':
        this.#lose(USED_UP)
        return
      case 'threw':
        if (started !== undefined) started.ending ??= { text: '', error: outcome.error }
        break
      case 'done':
        break
      default:
        outcome satisfies never
    }
    this.#postEnded()
    if (this.#isTooMuch) this.#giveWay()
    else this.#plan()
  }

  #countMemory(): void {
    const grown = this.#vm.pages() - this.#pages
    if (grown === 0) return
    this.#pages += grown
    if (this.#deps.memory.add(grown)) this.#isTooMuch = true
  }

  /**
   * Ends the sandbox that takes more pages when none are left. Sandboxes that take nothing more
   * stay.
   */
  #giveWay(): void {
    this.#log('ERROR', NO_MEMORY_LEFT.message)
    this.#lose(NO_MEMORY_LEFT)
  }

  #enter(deadline: number, run: () => Outcome): Outcome {
    const { clock, cpuTime, beat } = this.#deps
    const entered = clock.monotonic()
    const computed = cpuTime()
    this.#vm.deadline = deadline
    beat.enter(this.id, Math.max(0, deadline - entered))
    try {
      return run()
    } finally {
      const ms = clock.monotonic() - entered
      // Waiting for a processor on a busy machine is not the plugin's doing.
      beat.spend(cpuTime() - computed)
      beat.leave()
      this.#countMemory()
      if (ms > HELD_UP_MS) this.#deps.heldUp(this, ms)
    }
  }

  /** Another event has begun, with its own time. */
  #extend(): void {
    for (const call of this.#calls.values()) {
      if (call.request.name !== 'process') continue
      call.deadline = this.#deps.clock.monotonic() + call.request.budgetMs
      this.#vm.deadline = call.deadline
      this.#backgroundUntil = Math.max(this.#backgroundUntil, call.deadline)
      this.#deps.beat.goOn(call.request.budgetMs)
    }
  }

  #firstCall(): OpenCall | undefined {
    let first: OpenCall | undefined
    for (const call of this.#calls.values()) {
      if (first === undefined || call.deadline < first.deadline) first = call
    }
    return first
  }

  /** Sets one timer, for the call with the earliest deadline. */
  #plan(): void {
    this.#cancelTimer()
    const first = this.#firstCall()
    if (first === undefined || this.#isLost) return
    const { clock } = this.#deps
    const ms = Math.max(0, first.deadline - clock.monotonic())
    this.#cancelTimer = clock.after(ms, () => {
      const now = this.#firstCall()
      if (now === undefined) return
      if (now.deadline > clock.monotonic()) this.#plan()
      else this.#expire(now)
    })
  }

  #expire(given?: OpenCall): void {
    const late = given ?? this.#firstCall()
    if (late === undefined) {
      this.#log('ERROR', 'Work that no call waited for took too long: the sandbox starts anew.')
      this.#lose(undefined)
      return
    }
    this.#calls.delete(late.request.call)
    this.#postEnded()
    this.#lose(undefined)
    this.#cut(late, timeoutError(late.request.budgetMs), true)
  }

  #postEnded(): void {
    for (const call of this.#calls.values()) {
      if (call.ending === undefined) continue
      this.#calls.delete(call.request.call)
      const { error, text } = call.ending
      if (error === undefined) {
        this.#deps.post({ kind: 'done', sandbox: this.id, call: call.request.call, text })
      } else this.#cut(call, error, false)
    }
  }

  #cut({ request }: OpenCall, error: PluginError, isLost: boolean): void {
    const { call, name } = request
    const text = name === 'process' && isLost ? this.#vm.partial().join(',') : ''
    this.#deps.post({ kind: 'cut', sandbox: this.id, call, error, text, isLost, isExact: true })
  }

  #lose(error: PluginError | undefined): void {
    if (this.#isLost) return
    this.#isLost = true
    this.#cancelTimer()
    this.#deps.memory.add(-this.#pages)
    this.#deps.post({ kind: 'lost', sandbox: this.id })
    for (const call of this.#calls.values()) this.#cut(call, error ?? LOST, true)
    this.#calls.clear()
    this.#deps.lost(this)
  }

  #log(type: LogType, message: string): void {
    const second = Math.floor(this.#deps.clock.monotonic() / 1_000)
    if (second !== this.#logSecond) this.#logs = 0
    this.#logSecond = second
    this.#logs += 1
    if (this.#logs > LOGS_PER_S_MAX) return
    this.#deps.post({ kind: 'log', sandbox: this.id, type, message })
  }

  #natives(): Natives {
    return {
      ...pureNatives,
      log: (type, message) => {
        this.#log(LOG_TYPES.get(type) ?? 'LOG', readText(message))
        return undefined
      },
      call: (op, args) => {
        if (this.#deps.clock.monotonic() > this.#backgroundUntil) {
          throw new Error('the call that this belongs to is over')
        }
        return this.#asks.add(readText(op), readText(args))
      },
      done: (id, text) => this.#ended(id, readText(text, SANDBOX_ANSWER_CHARS_MAX), undefined),
      fail: (id, error) => this.#ended(id, '', parseErrorText(readText(error))),
      attachment: (key) => {
        const file = this.#request.attachments.get(readText(key))
        if (file === undefined) throw new Error('there is no such attachment')
        return new Uint8Array(file.contents).buffer
      },
    }
  }

  #ended(id: Plain, text: string, error: PluginError | undefined): undefined {
    const call = typeof id === 'number' ? this.#calls.get(id) : undefined
    if (call !== undefined) call.ending ??= { text, error }
    return undefined
  }
}
