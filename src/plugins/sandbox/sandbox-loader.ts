/**
 * Loads plugins that have source: a sandbox for each config, and a thread for the sandboxes of each
 * project. A thread starts with the first sandbox and ends some time after the last.
 */
import type { Clock } from '../../core/clock.ts'
import type { ProjectId } from '../../core/ids.ts'
import { PLUGIN_PROCESS_MS, SANDBOX_IDLE_MS } from '../../core/limits/limits-plugins.ts'
import type { Log } from '../../core/log.ts'
import type { PluginDefinition } from '../../project/plugin-ports.ts'
import type { LoadAnswer, PluginHost, PluginLoader } from '../ports.ts'
import type { CompileSource } from '../settings/source-code.ts'
import { type CpuBudgetOptions, CpuBudgets } from './cpu-budgets.ts'
import { compileEngine, type Engine, PAGES_FIRST } from './engine.ts'
import { hasRoom, type MemoryShare, MemoryTotal, PAGE_BYTES } from './memory-total.ts'
import { ProjectThread } from './project-thread.ts'
import { sandboxError } from './protocol.ts'
import { type MadeSandbox, SandboxInstance } from './sandbox-instance.ts'

/** Memory of all sandboxes of one worker, unless the setting says otherwise. */
const SANDBOXES_BYTES_MAX = 2_147_483_648
/** Threads of one worker, each for one project. */
const SANDBOX_THREADS_MAX = 32
/** Sandboxes of one project, all on its thread. */
const SANDBOX_PER_PROJECT_MAX = 64
/** Time after its budget at which a thread without an answer is ended. */
const SANDBOX_GRACE_MS = 1_000

export type SandboxLoaderDeps = {
  readonly clock: Clock
  readonly log: Log
  readonly compile: CompileSource
}

export type SandboxLoaderOptions = {
  /** Milliseconds that a plugin has for one event. */
  readonly processMs?: number
  /** Milliseconds of a plugin's code at the top level. */
  readonly loadMs?: number
  /** Milliseconds beyond its limit after which a thread that does not return is ended. */
  readonly graceMs?: number
  readonly threadsMax?: number
  readonly idleMs?: number
  /** Approximate bound of all sandboxes in bytes: a thread may exceed it during one call. */
  readonly memoryBytesMax?: number
  /** CPU budget of each organization. */
  readonly cpu?: CpuBudgetOptions
}

/** `close` ends all threads and cuts calls under way. Tear the instances down before. */
export function createSandboxLoader(
  deps: SandboxLoaderDeps,
  options: SandboxLoaderOptions = {},
): PluginLoader {
  const threads = new Threads(deps, options)
  const { processMs = PLUGIN_PROCESS_MS } = options
  const { loadMs = Math.max(processMs, PLUGIN_PROCESS_MS) } = options

  const loadSafely = async (
    definition: PluginDefinition,
    host: PluginHost,
  ): Promise<LoadAnswer> => {
    const { code, settings, attachments } = definition
    if (code.kind !== 'source') return refused('The plugin has no source that could be run.')
    const { compiled, error } = await deps.compile(code)
    if (error !== null) return refused(error, 'SyntaxError')
    const program = { code: compiled, settings, attachments, processMs, loadMs }
    const make = async (): Promise<MadeSandbox> => {
      try {
        return await threads.make(definition, program, host)
      } catch (error) {
        deps.log.warn('sandbox could not be created', { error })
        return refused('No sandbox could be made. Try again later.', 'RetryError')
      }
    }
    const made = await make()
    if (!made.ok) return made
    return { ok: true, instance: new SandboxInstance(made, make, { processMs }) }
  }
  return {
    async load(definition, host) {
      try {
        return await loadSafely(definition, host)
      } catch (error) {
        deps.log.warn('a plugin could not be loaded', { error })
        return refused('The plugin could not be loaded. Try again later.', 'RetryError')
      }
    },
    close: () => threads.close(),
  }
}

const NO_MEMORY = 'The plugins of this worker use all the memory that they may.'

type Program = Omit<Parameters<ProjectThread['load']>[0], 'sandbox'>
type RunningThread = { readonly thread: ProjectThread; cancelIdle: () => void }

class Threads {
  readonly #deps: SandboxLoaderDeps
  readonly #threadsMax: number
  readonly #idleMs: number
  readonly #graceMs: number
  readonly #memory: Omit<MemoryShare, 'own'>
  readonly #budgets: CpuBudgets
  readonly #threads = new Map<ProjectId, RunningThread>()
  readonly #ending = new Set<Promise<void>>()
  /** Compiled once and shared by all threads. */
  #engine: Promise<Engine> | undefined
  #lastId = 0
  #isClosed = false

  constructor(deps: SandboxLoaderDeps, options: SandboxLoaderOptions) {
    this.#deps = deps
    this.#threadsMax = options.threadsMax ?? SANDBOX_THREADS_MAX
    this.#idleMs = options.idleMs ?? SANDBOX_IDLE_MS
    this.#graceMs = options.graceMs ?? SANDBOX_GRACE_MS
    this.#budgets = new CpuBudgets(deps.clock, options.cpu)
    const bytesMax = options.memoryBytesMax ?? SANDBOXES_BYTES_MAX
    this.#memory = { all: MemoryTotal.word(), pagesMax: Math.floor(bytesMax / PAGE_BYTES) }
  }

  async make(
    { projectId, organizationId }: PluginDefinition,
    program: Program,
    host: PluginHost,
  ): Promise<MadeSandbox> {
    const engine = await this.#compiledEngine()
    await this.#budgets.turn(organizationId)
    if (this.#isClosed) return refused('The server is stopping.')
    if (!hasRoom(this.#memory, PAGES_FIRST)) return refused(NO_MEMORY, 'RetryError')
    const running = this.#threads.get(projectId) ?? this.#start(projectId, engine)
    if (running === undefined) return refused('too many projects run plugins on this worker')
    const { thread } = running
    if (thread.size >= SANDBOX_PER_PROJECT_MAX) {
      return refused('too many plugins of this project are loaded')
    }
    running.cancelIdle()
    const sandbox = this.#nextId()
    const loaded = await thread.load({ sandbox, ...program }, host)
    this.#budgets.spend(organizationId, thread.takeSpent())
    if ('error' in loaded) {
      this.#planEnd(running)
      return { ok: false, error: loaded.error }
    }
    return {
      ok: true,
      loaded,
      sandbox: {
        isLive: () => thread.has(sandbox),
        call: async (name, text, budgetMs) => {
          await this.#budgets.turn(organizationId)
          const request = { sandbox, call: this.#nextId(), name, text, budgetMs }
          const reply = await thread.call(request)
          this.#budgets.spend(organizationId, thread.takeSpent())
          return reply
        },
        unload: () => {
          thread.unload(sandbox)
          this.#planEnd(running)
        },
      },
    }
  }

  async close(): Promise<void> {
    this.#isClosed = true
    this.#budgets.close()
    const ended = [...this.#threads.values()].map(({ thread }) => thread.end())
    await Promise.all([...ended, ...this.#ending])
  }

  #start(projectId: ProjectId, engine: Engine): RunningThread | undefined {
    if (this.#threads.size >= this.#threadsMax && !this.#endIdle()) return undefined
    const { clock, log } = this.#deps
    const onEnd = () => {
      running.cancelIdle()
      if (this.#threads.get(projectId) === running) this.#threads.delete(projectId)
    }
    const thread = new ProjectThread(
      {
        clock,
        engine,
        memory: this.#memory,
        graceMs: this.#graceMs,
        log: log.child({ projectId }),
      },
      onEnd,
    )
    const running: RunningThread = { thread, cancelIdle: () => {} }
    this.#threads.set(projectId, running)
    return running
  }

  /** Ends a thread without a sandbox to make room. */
  #endIdle(): boolean {
    for (const [projectId, running] of this.#threads) {
      if (running.thread.size > 0) continue
      this.#endThread(projectId, running)
      return true
    }
    return false
  }

  #planEnd(running: RunningThread): void {
    running.cancelIdle()
    if (running.thread.size > 0) return
    running.cancelIdle = this.#deps.clock.after(this.#idleMs, () => {
      if (running.thread.size > 0) return
      for (const [projectId, each] of this.#threads)
        if (each === running) this.#endThread(projectId, running)
    })
  }

  #endThread(projectId: ProjectId, running: RunningThread): void {
    running.cancelIdle()
    this.#threads.delete(projectId)
    const ended = running.thread.end().finally(() => this.#ending.delete(ended))
    this.#ending.add(ended)
  }

  async #compiledEngine(): Promise<Engine> {
    try {
      this.#engine ??= compileEngine()
      return await this.#engine
    } catch (error) {
      this.#engine = undefined
      throw error
    }
  }

  #nextId(): number {
    this.#lastId = (this.#lastId % 0x3fff_ffff) + 1
    return this.#lastId
  }
}

function refused(message: string, name = 'LoadError') {
  const error = sandboxError(message, { name, isRetry: name === 'RetryError' })
  return { ok: false, error } as const
}
