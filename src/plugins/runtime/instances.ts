/**
 * The loaded plugins of this worker, by project and config. Unused plugins are unloaded when their
 * project has been idle, or when another plugin needs the room.
 */
import { createBoundedMap } from '../../core/bounded-map.ts'
import type { ProjectId } from '../../core/ids.ts'
import { SANDBOX_IDLE_MS } from '../../core/limits/limits-plugins.ts'
import type { PluginStep } from '../../project/plugin-ports.ts'
import { type HolderDeps, PluginHolder } from './plugin-holder.ts'

/** Plugins loaded in one worker; idle ones are looked for this often. */
export const PLUGIN_INSTANCES_MAX = 256
export const PLUGIN_IDLE_SWEEP_MS = 30_000

/** Plugins that stay loaded until `release`. */
export type HeldPlugins = {
  /** In the order of the request, without those that have been disabled. */
  readonly holders: readonly PluginHolder[]
  /** The steps for which there is no room. */
  readonly missing: readonly PluginStep[]
  /** Resolves when none of them needs to be waited for. */
  firstLoad(): Promise<void>
  /** Ends the use; may be called twice. */
  release(): void
}

type Project = { readonly holders: Map<number, PluginHolder>; usedAt: number }

/** At most `PLUGIN_INSTANCES_MAX` are loaded. */
export class Instances {
  readonly #deps: HolderDeps
  /** The least recently used project comes first. */
  readonly #projects = new Map<ProjectId, Project>()
  readonly #ending = new Set<Promise<void>>()
  /**
   * Configs that this worker has disabled, with the stamps that failed. Without this list, events
   * that came before the plan changed would load them again. It has as many as may be loaded, the
   * newest ones.
   */
  readonly #spent = createBoundedMap<number, ReadonlySet<string>>({
    entriesMax: PLUGIN_INSTANCES_MAX,
  })
  #live = 0
  #reportedFullAt = Number.NEGATIVE_INFINITY
  #cancelSweep: (() => void) | undefined

  constructor(deps: HolderDeps) {
    this.#deps = deps
  }

  /**
   * Holds the plugins of a plan and loads the missing ones. All others of the project are unloaded.
   */
  holdPlan(id: ProjectId, steps: readonly PluginStep[]): HeldPlugins {
    const project = this.#projectOf(id)
    const wanted = new Set(steps.map(({ configId }) => configId))
    for (const holder of [...project.holders.values()]) {
      if (!wanted.has(holder.step.configId)) this.#end(project, holder)
    }
    return this.#hold(id, project, steps)
  }

  /** Holds one plugin of a project. The others stay. */
  holdOne(id: ProjectId, step: PluginStep): HeldPlugins {
    return this.#hold(id, this.#projectOf(id), [step])
  }

  unload(id: ProjectId): void {
    const project = this.#projects.get(id)
    if (project !== undefined) this.#endAll(id, project)
  }

  size(): number {
    return this.#live
  }

  /** Resolves when everything is released. */
  async close(): Promise<void> {
    this.#cancelSweep?.()
    for (const [id, project] of [...this.#projects]) this.#endAll(id, project)
    while (this.#ending.size > 0) await Promise.all(this.#ending)
  }

  #projectOf(id: ProjectId): Project {
    const project = this.#projects.get(id) ?? { holders: new Map(), usedAt: 0 }
    project.usedAt = this.#deps.clock.monotonic()
    this.#projects.delete(id)
    this.#projects.set(id, project)
    this.#cancelSweep ??= this.#deps.clock.after(PLUGIN_IDLE_SWEEP_MS, () => this.#sweep())
    return project
  }

  #hold(id: ProjectId, project: Project, steps: readonly PluginStep[]): HeldPlugins {
    const found = steps.map((step) => ({ step, holder: this.#holderOf(id, project, step) }))
    const holders = found.flatMap(({ holder }) => (typeof holder === 'string' ? [] : holder))
    const releases = holders.map((holder) => holder.hold())
    const { clock } = this.#deps
    return {
      holders,
      missing: found.flatMap(({ step, holder }) => (holder === 'full' ? step : [])),
      async firstLoad() {
        await Promise.all(holders.map((holder) => holder.firstLoad()))
      },
      release() {
        for (const release of releases) release()
        project.usedAt = clock.monotonic()
      },
    }
  }

  #holderOf(id: ProjectId, project: Project, step: PluginStep): PluginHolder | 'full' | 'spent' {
    const known = project.holders.get(step.configId)
    if (known?.stamps().has(step.stamp)) return known
    if (this.#spent.peek(step.configId)?.has(step.stamp)) return 'spent'
    if (known !== undefined) this.#end(project, known)
    if (this.#isFull()) this.#endUnused((each) => each !== project && this.#isFull())
    if (this.#isFull()) {
      this.#reportFull()
      return 'full'
    }
    const holder = new PluginHolder(this.#deps, id, step)
    this.#live += 1
    project.holders.set(step.configId, holder)
    return holder
  }

  #end(project: Project, holder: PluginHolder): void {
    const { configId } = holder.step
    project.holders.delete(configId)
    this.#live -= 1
    if (holder.isSpent()) this.#spent.set(configId, holder.stamps())
    const ended = holder.end().then(() => {
      this.#ending.delete(ended)
    })
    this.#ending.add(ended)
  }

  #endAll(id: ProjectId, project: Project): void {
    this.#projects.delete(id)
    for (const holder of [...project.holders.values()]) this.#end(project, holder)
  }

  /** Ends the unused plugins of the projects that `isDue` selects, the longest unused first. */
  #endUnused(isDue: (project: Project) => boolean): void {
    for (const [id, project] of [...this.#projects]) {
      if (!isDue(project)) continue
      for (const holder of [...project.holders.values()]) {
        if (!holder.isHeld()) this.#end(project, holder)
      }
      if (project.holders.size === 0) this.#projects.delete(id)
    }
  }

  #sweep(): void {
    this.#cancelSweep = undefined
    const { clock } = this.#deps
    const before = clock.monotonic() - SANDBOX_IDLE_MS
    this.#endUnused(({ usedAt }) => usedAt <= before)
    if (this.#projects.size === 0) return
    this.#cancelSweep = clock.after(PLUGIN_IDLE_SWEEP_MS, () => this.#sweep())
  }

  /** Plugins that are ending count too, because a config may be saved again and again. */
  #isFull(): boolean {
    const all = this.#live + this.#ending.size
    return this.#live >= PLUGIN_INSTANCES_MAX || all >= 2 * PLUGIN_INSTANCES_MAX
  }

  #reportFull(): void {
    const { clock, log } = this.#deps
    const now = clock.monotonic()
    if (now - this.#reportedFullAt < PLUGIN_IDLE_SWEEP_MS) return
    this.#reportedFullAt = now
    log.warn('no memory for another plugin', { plugins: this.#live, ending: this.#ending.size })
  }
}
