/** One QuickJS in WebAssembly with its own memory. Each entry has a deadline. */
import type { QuickJSContext, QuickJSHandle, QuickJSRuntime } from 'quickjs-emscripten-core'
import type { Clock } from '../../core/clock.ts'
import { assert } from '../../core/code.ts'
import { SANDBOX_MEMORY_BYTES_MAX } from '../../core/limits/limits-plugins.ts'
import type { PluginError } from '../ports.ts'
import { type Engine, type Machine, newMachine } from './engine.ts'
import type { NativeCall, Natives } from './natives.ts'
import { evaluateText, PRELUDE } from './prelude.ts'
import { parseErrorText } from './protocol.ts'
import type { Plain } from './vm/kit.ts'

/** Heap of one sandbox. */
const SANDBOX_HEAP_BYTES_MAX = 67_108_864
const SANDBOX_STACK_BYTES_MAX = 524_288
assert(SANDBOX_HEAP_BYTES_MAX < SANDBOX_MEMORY_BYTES_MAX, 'the heap is within the memory')

/** Jobs to run between two checks of the clock. Each job may itself be interrupted. */
const JOBS_PER_LOOK = 256

/** The end of an entry. After `expired` and `broken` the machine must not be entered again. */
export type Outcome =
  | { readonly kind: 'done'; readonly value: Plain }
  | { readonly kind: 'threw'; readonly error: PluginError }
  | { readonly kind: 'expired' }
  /** The engine trapped: it has no memory or stack left for itself. */
  | { readonly kind: 'broken'; readonly reason: string }

export type VmDeps = { readonly clock: Clock; readonly engine: Engine }

export class Vm {
  readonly #clock: Clock
  readonly #runtime: QuickJSRuntime
  /** The pages of its memory. A machine never gives pages back. */
  readonly pages: () => number
  readonly #context: QuickJSContext
  #entries: QuickJSHandle | undefined
  #progress: QuickJSHandle | undefined
  #seen = 0
  /** Number of events that had begun before the current batch. */
  #seenBefore = 0
  #isExpired = false
  /** Monotonic milliseconds. An entry that lasts longer expires. */
  deadline = Number.POSITIVE_INFINITY
  /** Called within an entry when events have begun since the last check. */
  onProgress: () => void = () => {}

  private constructor(clock: Clock, { runtime, pages }: Machine) {
    this.#clock = clock
    this.#runtime = runtime
    this.pages = pages
    runtime.setMemoryLimit(SANDBOX_HEAP_BYTES_MAX)
    runtime.setMaxStackSize(SANDBOX_STACK_BYTES_MAX)
    runtime.setInterruptHandler(() => this.#isOver())
    this.#context = runtime.newContext()
  }

  static async create({ clock, engine }: VmDeps): Promise<Vm> {
    // The bound on the heap does not cover memory that the interpreter allocates around it.
    return new Vm(clock, await newMachine(engine, SANDBOX_MEMORY_BYTES_MAX))
  }

  /** Prepares the machine, runs the module, and answers its capabilities as JSON. */
  load(natives: Natives, compiled: string, input: string): Outcome {
    return this.#enter(() => {
      const start = this.#evaluate(PRELUDE, 'sandbox.js')
      if (start.kind !== 'handle') return start
      const entries = this.#call(start.handle, this.#nativeObject(natives))
      if (entries.kind !== 'handle') return entries
      this.#entries = entries.handle
      this.#progress = this.#context.getProp(entries.handle, 'progress')
      const plugin = this.#evaluate(evaluateText(compiled), 'index.js')
      if (plugin.kind !== 'handle') return plugin
      return this.#callEntry('load', plugin.handle, input)
    })
  }

  start(call: number, name: string, text: string): Outcome {
    if (name === 'process') this.#seenBefore = this.#seen
    return this.#enter(() => this.#callEntry('start', call, name, text))
  }

  settle(id: number, isOk: boolean, text: string): Outcome {
    return this.#enter(() => this.#callEntry('settle', id, isOk ? 1 : 0, text))
  }

  /**
   * The answers of the current batch up to the event that was interrupted. They count only up to
   * the moment of `expired`: code that awaits the interrupted event may have run on for a moment.
   */
  partial(): string[] {
    const answers: string[] = []
    if (this.#progress === undefined) return answers
    const context = this.#context
    const list = context.getProp(this.#progress, 1)
    while (answers.length < this.#seen - this.#seenBefore - 1) {
      const next = context.getProp(list, answers.length)
      const answer = context.typeof(next) === 'string' ? context.getString(next) : undefined
      next.dispose()
      if (answer === undefined) break
      answers.push(answer)
    }
    list.dispose()
    return answers
  }

  /** Runs `work`, then the jobs that it has queued. */
  #enter(work: () => Outcome): Outcome {
    if (this.#isExpired) return { kind: 'expired' }
    try {
      const outcome = work()
      this.#runJobs()
      return this.#isExpired ? { kind: 'expired' } : outcome
    } catch (error) {
      // The engine trapped, or the stack of the thread is used up.
      this.#isExpired = true
      return { kind: 'broken', reason: error instanceof Error ? error.message : 'unknown' }
    }
  }

  #runJobs(): void {
    do {
      const ran = this.#runtime.executePendingJobs(JOBS_PER_LOOK)
      if (ran.error) ran.error.dispose()
      else if (ran.value < JOBS_PER_LOOK) break
    } while (!this.#isOver())
    this.#look()
  }

  #isOver(): boolean {
    if (this.#isExpired) return true
    this.#look()
    if (this.#clock.monotonic() > this.deadline) this.#isExpired = true
    return this.#isExpired
  }

  /**
   * Reads how many events have begun. It runs no code of the plugin: the number is an own property
   * of a list that the plugin cannot reach.
   */
  #look(): void {
    if (this.#progress === undefined || this.#isExpired) return
    const context = this.#context
    const seen = context.getProp(this.#progress, 0).consume((count) => context.getNumber(count))
    if (seen === this.#seen) return
    this.#seen = seen
    this.onProgress()
  }

  #evaluate(text: string, file: string): Step {
    return this.#step(this.#context.evalCode(text, file, { type: 'global' }))
  }

  #callEntry(name: string, ...args: (QuickJSHandle | string | number)[]): Outcome {
    assert(this.#entries !== undefined, 'a machine is loaded before it is called')
    const entry = this.#context.getProp(this.#entries, name)
    const handles = args.map((arg) => (typeof arg === 'object' ? arg : this.#handle(arg)))
    const step = this.#call(entry, ...handles)
    entry.dispose()
    if (step.kind !== 'handle') return step
    const value = this.#plain(step.handle)
    step.handle.dispose()
    return { kind: 'done', value }
  }

  #call(callee: QuickJSHandle, ...args: QuickJSHandle[]): Step {
    const result = this.#context.callFunction(callee, this.#context.undefined, ...args)
    for (const each of args) each.dispose()
    return this.#step(result)
  }

  #step(result: ReturnType<QuickJSContext['callFunction']>): Step {
    if (!result.error) return { kind: 'handle', handle: result.value }
    const error = this.#describe(result.error)
    result.error.dispose()
    return { kind: 'threw', error }
  }

  /** Describes an error that was thrown before the prelude could describe it. */
  #describe(thrown: QuickJSHandle): PluginError {
    const context = this.#context
    const text = (key: string): string => {
      const value = context.getProp(thrown, key)
      const found = context.typeof(value) === 'string' ? context.getString(value) : ''
      value.dispose()
      return found
    }
    const isText = context.typeof(thrown) === 'string'
    if (isText) return parseErrorText(JSON.stringify({ message: context.getString(thrown) }))
    if (context.typeof(thrown) !== 'object') return parseErrorText('{}')
    const name = text('name')
    const message = text('message')
    const stack = `${name}: ${message}\n${text('stack')}`
    return parseErrorText(JSON.stringify({ name, message, stack, isRetry: name === 'RetryError' }))
  }

  #nativeObject(natives: Natives): QuickJSHandle {
    const object = this.#context.newObject()
    for (const [name, call] of Object.entries(natives)) {
      const handle = this.#context.newFunction(name, (...args) => this.#answer(call, args))
      this.#context.setProp(object, name, handle)
      handle.dispose()
    }
    return object
  }

  /** A failure becomes an error in the plugin, which sees the message. */
  #answer(call: NativeCall, args: readonly QuickJSHandle[]) {
    const context = this.#context
    try {
      return this.#handle(call(...args.map((arg) => this.#plain(arg))))
    } catch (error) {
      const message = error instanceof Error ? error.message : 'the call failed'
      return { error: context.newError({ name: 'Error', message }) }
    }
  }

  #plain(handle: QuickJSHandle): Plain {
    const context = this.#context
    switch (context.typeof(handle)) {
      case 'string':
        return context.getString(handle)
      case 'number':
        return context.getNumber(handle)
      case 'undefined':
        return undefined
      default: {
        const bytes = context.getArrayBuffer(handle)
        const copy = new ArrayBuffer(bytes.value.length)
        new Uint8Array(copy).set(bytes.value)
        bytes.dispose()
        return copy
      }
    }
  }

  #handle(value: Plain): QuickJSHandle {
    if (typeof value === 'string') return this.#context.newString(value)
    if (typeof value === 'number') return this.#context.newNumber(value)
    return value === undefined ? this.#context.undefined : this.#context.newArrayBuffer(value)
  }
}

type Step =
  | { readonly kind: 'handle'; readonly handle: QuickJSHandle }
  | Extract<Outcome, { kind: 'threw' }>
