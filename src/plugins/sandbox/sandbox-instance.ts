/**
 * A plugin in a sandbox, in the form that the runtime uses. A lost sandbox is replaced by another.
 */

import type { JsonObject } from '../../core/json.ts'
import { exactJson, withNumbers } from '../../core/json-text/exact-numbers.ts'
import { PLUGIN_CALL_MS, PLUGIN_TIMEOUTS_MAX } from '../../core/limits/limits-plugins.ts'
import type { Schedule } from '../../project/plugin-ports.ts'
import type {
  CallAnswer,
  Capabilities,
  PluginError,
  PluginEvent,
  PluginInstance,
  PluginMethod,
  ProcessAnswer,
  StoredPluginEvent,
} from '../ports.ts'
import { batchesOf, completed, failed, parseAnswers } from './answers.ts'
import { withDigits } from './kept-digits.ts'
import type { CallReply } from './project-thread.ts'
import { type Loaded, sandboxError } from './protocol.ts'

/** Input of any other call as JSON text: parsed, it must fit into the heap. */
const SANDBOX_CALL_CHARS_MAX = 8_388_608

/** The sandbox of one config. */
export type LiveSandbox = {
  /** False once it is lost and another one must be made. */
  isLive(): boolean
  call(name: string, text: string, budgetMs: number): Promise<CallReply>
  unload(): void
}
export type MadeSandbox =
  | { readonly ok: true; readonly sandbox: LiveSandbox; readonly loaded: Loaded }
  | { readonly ok: false; readonly error: PluginError }
export type MakeSandbox = () => Promise<MadeSandbox>

export type InstanceOptions = { readonly processMs: number }

const METHODS: readonly PluginMethod[] = [
  'setupPlugin',
  'teardownPlugin',
  'processEvent',
  'processEventBatch',
  'onEvent',
  'exportEvents',
]
const SCHEDULES: readonly Schedule[] = ['runEveryMinute', 'runEveryHour', 'runEveryDay']
const OK: CallAnswer = { ok: true }
const TOO_LARGE = sandboxError(`A call takes ${SANDBOX_CALL_CHARS_MAX} characters of JSON.`)
const CLOSED = sandboxError('The plugin was unloaded.')
const TOO_OFTEN = sandboxError('Not called: the plugin failed to come back for events before it.')

function capabilitiesOf({ methods, jobs }: Loaded): Capabilities {
  return {
    methods: METHODS.filter((name) => methods.includes(name)),
    jobs,
    scheduledTasks: SCHEDULES.filter((name) => methods.includes(name)),
  }
}

type Ready = { readonly ok: true; readonly sandbox: LiveSandbox } | Failure
type Failure = { readonly ok: false; readonly error: PluginError }

export class SandboxInstance implements PluginInstance {
  readonly capabilities: Capabilities
  readonly #make: MakeSandbox
  readonly #options: InstanceOptions
  #sandbox: LiveSandbox
  /** Set while another sandbox is made. */
  #remaking: Promise<Ready> | undefined
  /** The end of the previous batch, so that events are processed in order. */
  #processing: Promise<unknown> = Promise.resolve()
  #isSetUp = false
  #isClosed = false
  #ending: Promise<void> | undefined

  constructor(
    made: Extract<MadeSandbox, { ok: true }>,
    make: MakeSandbox,
    options: InstanceOptions,
  ) {
    this.capabilities = capabilitiesOf(made.loaded)
    this.#sandbox = made.sandbox
    this.#make = make
    this.#options = options
  }

  async setup(): Promise<CallAnswer> {
    const ready = await this.#ready()
    if (!ready.ok) return ready
    const answer = await this.#setUp(ready.sandbox)
    this.#isSetUp ||= answer.ok
    return answer
  }

  process(events: readonly PluginEvent[]): Promise<readonly ProcessAnswer[]> {
    const marked = events.map((event) => JSON.stringify(event))
    const texts = marked.map((text) => withNumbers(text))
    const sent = events.map((event, place) => (texts[place] === marked[place] ? undefined : event))
    const answers = this.#processing.then(async () => withDigits(await this.#process(texts), sent))
    this.#processing = answers
    return answers
  }

  async onEvent(event: StoredPluginEvent): Promise<CallAnswer> {
    return await this.#call('onEvent', event)
  }

  async exportEvents(events: readonly StoredPluginEvent[]): Promise<CallAnswer> {
    return await this.#call('exportEvents', events)
  }

  async runJob(name: string, payload: JsonObject): Promise<CallAnswer> {
    if (this.capabilities.jobs.includes(name)) return await this.#call(`job:${name}`, payload)
    return { ok: false, error: sandboxError('The plugin has no such job.') }
  }

  async runScheduled(schedule: Schedule): Promise<CallAnswer> {
    return await this.#call(schedule, null)
  }

  async teardown(): Promise<void> {
    this.#ending ??= this.#end()
    await this.#ending
  }

  /** Events that were passed before still get their answers. */
  async #end(): Promise<void> {
    await this.#processing
    this.#isClosed = true
    await this.#remaking
    const hasTeardown = this.capabilities.methods.includes('teardownPlugin')
    if (this.#isSetUp && hasTeardown && this.#sandbox.isLive()) {
      await this.#sandbox.call('teardownPlugin', '', PLUGIN_CALL_MS)
    }
    this.#sandbox.unload()
  }

  async #call(name: string, input: unknown): Promise<CallAnswer> {
    const text = exactJson(input)
    if (text.length > SANDBOX_CALL_CHARS_MAX) return { ok: false, error: TOO_LARGE }
    const ready = await this.#ready()
    if (!ready.ok) return ready
    return answerTo(await ready.sandbox.call(name, text, PLUGIN_CALL_MS))
  }

  async #setUp(sandbox: LiveSandbox): Promise<CallAnswer> {
    if (!this.capabilities.methods.includes('setupPlugin')) return OK
    return answerTo(await sandbox.call('setupPlugin', '', PLUGIN_CALL_MS))
  }

  /** The sandbox, or another one that is set up in the same way. */
  #ready(): Promise<Ready> {
    if (this.#isClosed) return Promise.resolve({ ok: false, error: CLOSED })
    if (this.#remaking !== undefined) return this.#remaking
    if (this.#sandbox.isLive()) return Promise.resolve({ ok: true, sandbox: this.#sandbox })
    const remaking = this.#remake().finally(() => {
      this.#remaking = undefined
    })
    this.#remaking = remaking
    return remaking
  }

  async #remake(): Promise<Ready> {
    const made = await this.#make()
    if (!made.ok) return made
    const { sandbox } = made
    const answer = this.#isSetUp ? await this.#setUp(sandbox) : OK
    if (!answer.ok) {
      sandbox.unload()
      return answer
    }
    this.#sandbox = sandbox
    return { ok: true, sandbox }
  }

  async #process(texts: readonly string[]): Promise<readonly ProcessAnswer[]> {
    const run: BatchRun = { texts, answers: [], isOneByOne: false }
    for (let losses = 0; run.answers.length < texts.length; losses++) {
      const { answers } = run
      if (losses >= PLUGIN_TIMEOUTS_MAX) return completed(answers, texts.length, TOO_OFTEN)
      const ready = await this.#ready()
      if (!ready.ok) return completed(answers, texts.length, ready.error)
      await this.#processUntilLost(ready.sandbox, run)
    }
    return run.answers
  }

  /**
   * Returns when every event has an answer or the sandbox is lost. The last answer then has the
   * reason.
   */
  async #processUntilLost(sandbox: LiveSandbox, run: BatchRun): Promise<void> {
    const { texts, answers } = run
    for (const { text, size } of batchesOf(texts.slice(answers.length), run.isOneByOne)) {
      const reply = await sandbox.call('process', text, this.#options.processMs)
      if (reply.kind === 'cut' && reply.isLost) {
        if (reply.isExact || size === 1) {
          // Work that continued after the last answer is attributed to the last event.
          const before = parseAnswers(reply.text, size - 1)
          answers.push(...before, failed(reply.error))
        } else run.isOneByOne = true
        return
      }
      const error = reply.kind === 'cut' ? reply.error : undefined
      answers.push(...completed(parseAnswers(reply.text, size), size, error))
    }
  }
}

type BatchRun = {
  readonly texts: readonly string[]
  readonly answers: ProcessAnswer[]
  /** Set after the thread ended without naming the event. */
  isOneByOne: boolean
}

function answerTo(reply: CallReply): CallAnswer {
  return reply.kind === 'done' ? OK : { ok: false, error: reply.error }
}
