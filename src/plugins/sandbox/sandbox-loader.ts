/**
 * Loads plugins that come as source, each config into a sandbox of its own, those of one project
 * into one thread. Threads start with the first sandbox and end some time after the last.
 */
import type { Clock } from '../../core/clock.ts'
import type { ProjectId } from '../../core/ids.ts'
import {
  PLUGIN_PROCESS_MS,
  SANDBOX_IDLE_MS,
  SANDBOX_PER_PROJECT_MAX,
  SANDBOX_THREADS_MAX,
  SANDBOXES_BYTES_MAX,
} from '../../core/limits/limits-plugins.ts'
import type { Log } from '../../core/log.ts'
import type { LoadAnswer, PluginDefinition, PluginHost, PluginLoader } from '../ports.ts'
import type { CompileSource } from '../settings/source-code.ts'
import { compileEngine, type Engine, PAGES_FIRST } from './engine.ts'
import { hasRoom, type MemoryShare, MemoryTotal, PAGE_BYTES } from './memory-total.ts'
import { ProjectThread } from './project-thread.ts'
import { sandboxError } from './protocol.ts'
import { type MadeSandbox, SandboxInstance } from './sandbox-instance.ts'

export type SandboxLoaderDeps = {
  readonly clock: Clock
  readonly log: Log
  readonly compile: CompileSource
}

export type SandboxLoaderOptions = {
  /** Milliseconds of one event. */
  readonly processMs?: number
  readonly threadsMax?: number
  readonly idleMs?: number
  /** Of all sandboxes, about: a thread may be past it by what one call takes. */
  readonly memoryBytesMax?: number
}

/** `close` ends all threads; what is under way then is cut. Tear instances down before. */
export function createSandboxLoader(
  deps: SandboxLoaderDeps,
  options: SandboxLoaderOptions = {},
): PluginLoader {
  const threads = new Threads(deps, options)
  const { processMs = PLUGIN_PROCESS_MS } = options

  const loadSafely = async (
    definition: PluginDefinition,
    host: PluginHost,
  ): Promise<LoadAnswer> => {
    const { code, projectId, settings, attachments } = definition
    if (code.kind !== 'source') return refused('The plugin has no source that could be run.')
    const { compiled, error } = await deps.compile(code)
    if (error !== null) return refused(error, 'SyntaxError')
    const program = { code: compiled, settings, attachments, processMs }
    const make = async (): Promise<MadeSandbox> => {
      try {
        return await threads.make(projectId, program, host)
      } catch (error) {
        deps.log.warn('no sandbox was made', { error })
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
type Slot = { readonly thread: ProjectThread; cancelIdle: () => void }

class Threads {
  readonly #deps: SandboxLoaderDeps
  readonly #threadsMax: number
  readonly #idleMs: number
  readonly #memory: Omit<MemoryShare, 'own'>
  readonly #slots = new Map<ProjectId, Slot>()
  readonly #ending = new Set<Promise<void>>()
  /** Compiled once, and shared by all threads. */
  #engine: Promise<Engine> | undefined
  #lastId = 0
  #isClosed = false

  constructor(deps: SandboxLoaderDeps, options: SandboxLoaderOptions) {
    this.#deps = deps
    this.#threadsMax = options.threadsMax ?? SANDBOX_THREADS_MAX
    this.#idleMs = options.idleMs ?? SANDBOX_IDLE_MS
    const bytesMax = options.memoryBytesMax ?? SANDBOXES_BYTES_MAX
    this.#memory = { all: MemoryTotal.word(), pagesMax: Math.floor(bytesMax / PAGE_BYTES) }
  }

  async make(projectId: ProjectId, program: Program, host: PluginHost): Promise<MadeSandbox> {
    const engine = await this.#compiledEngine()
    if (this.#isClosed) return refused('The server is stopping.')
    if (!hasRoom(this.#memory, PAGES_FIRST)) return refused(NO_MEMORY, 'RetryError')
    const slot = this.#slots.get(projectId) ?? this.#start(projectId, engine)
    if (slot === undefined) return refused('too many projects run plugins on this worker')
    const { thread } = slot
    if (thread.size >= SANDBOX_PER_PROJECT_MAX) {
      return refused('too many plugins of this project are loaded')
    }
    slot.cancelIdle()
    const sandbox = this.#nextId()
    const loaded = await thread.load({ sandbox, ...program }, host)
    if ('error' in loaded) {
      this.#planEnd(slot)
      return { ok: false, error: loaded.error }
    }
    return {
      ok: true,
      loaded,
      sandbox: {
        isLive: () => thread.has(sandbox),
        call: (name, text, budgetMs) =>
          thread.call({ sandbox, call: this.#nextId(), name, text, budgetMs }),
        unload: () => {
          thread.unload(sandbox)
          this.#planEnd(slot)
        },
      },
    }
  }

  async close(): Promise<void> {
    this.#isClosed = true
    const ended = [...this.#slots.values()].map(({ thread }) => thread.end())
    await Promise.all([...ended, ...this.#ending])
  }

  #start(projectId: ProjectId, engine: Engine): Slot | undefined {
    if (this.#slots.size >= this.#threadsMax && !this.#endIdle()) return undefined
    const { clock, log } = this.#deps
    const onEnd = () => {
      slot.cancelIdle()
      if (this.#slots.get(projectId) === slot) this.#slots.delete(projectId)
    }
    const thread = new ProjectThread(
      { clock, log: log.child({ projectId }), engine, memory: this.#memory },
      onEnd,
    )
    const slot: Slot = { thread, cancelIdle: () => {} }
    this.#slots.set(projectId, slot)
    return slot
  }

  /** Makes room: a thread without a sandbox is not waited for. */
  #endIdle(): boolean {
    for (const [projectId, slot] of this.#slots) {
      if (slot.thread.size > 0) continue
      this.#endSlot(projectId, slot)
      return true
    }
    return false
  }

  #planEnd(slot: Slot): void {
    slot.cancelIdle()
    if (slot.thread.size > 0) return
    slot.cancelIdle = this.#deps.clock.after(this.#idleMs, () => {
      if (slot.thread.size > 0) return
      for (const [projectId, each] of this.#slots) if (each === slot) this.#endSlot(projectId, slot)
    })
  }

  #endSlot(projectId: ProjectId, slot: Slot): void {
    slot.cancelIdle()
    this.#slots.delete(projectId)
    const ended = slot.thread.end().finally(() => this.#ending.delete(ended))
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
