import type { ProjectId } from '../core/ids.ts'
import {
  PLUGIN_IDLE_SWEEP_MS,
  PLUGIN_INSTANCES_MAX,
  SANDBOX_IDLE_MS,
} from '../core/limits/limits-plugins.ts'
import type { PluginStep } from './ports.ts'
import { createSlot, type Slot, type SlotDeps } from './slot.ts'

/** Slots that stay as they are until they are released. */
export type HeldSlots = {
  /** In the order asked, without those that have been disabled. */
  readonly slots: readonly Slot[]
  /** Those for which there is no room. */
  readonly missing: readonly PluginStep[]
  /** Resolves once none of them is to be waited for. */
  firstLoad(): Promise<void>
  /** Ends the use; may be called twice. */
  release(): void
}

/** Every loaded plugin of this worker, by project and config; at most `PLUGIN_INSTANCES_MAX`. */
export type Instances = {
  /** Those of a plan, loaded when they are not; all others of the project are unloaded. */
  holdPlan(projectId: ProjectId, steps: readonly PluginStep[]): HeldSlots
  /** One of them; the others stay. */
  holdOne(projectId: ProjectId, step: PluginStep): HeldSlots
  unload(projectId: ProjectId): void
  size(): number
  /** Resolves when everything is given back. */
  close(): Promise<void>
}

type Project = { readonly slots: Map<number, Slot>; usedAt: number }

/** Projects are kept in the order of their last use. */
export function createInstances(deps: SlotDeps): Instances {
  const { clock, log } = deps
  const projects = new Map<ProjectId, Project>()
  const ending = new Set<Promise<void>>()
  /**
   * Configs that this worker has disabled, with the stamps of what failed: events that came before
   * the plan changed would load it again. As many as may be loaded, the newest ones.
   */
  const spent = new Map<number, ReadonlySet<string>>()
  let live = 0
  let toldFullAt = Number.NEGATIVE_INFINITY
  let cancelSweep: (() => void) | undefined

  const projectOf = (id: ProjectId): Project => {
    const project = projects.get(id) ?? { slots: new Map(), usedAt: 0 }
    project.usedAt = clock.monotonic()
    projects.delete(id)
    projects.set(id, project)
    cancelSweep ??= clock.after(PLUGIN_IDLE_SWEEP_MS, sweep)
    return project
  }

  const remember = (configId: number, stamps: ReadonlySet<string>) => {
    spent.delete(configId)
    spent.set(configId, stamps)
    const [oldest] = spent.keys()
    if (spent.size > PLUGIN_INSTANCES_MAX && oldest !== undefined) spent.delete(oldest)
  }

  const end = (project: Project, slot: Slot) => {
    const { configId } = slot.step
    project.slots.delete(configId)
    live -= 1
    if (slot.isSpent()) remember(configId, slot.stamps())
    const ended = slot.end().then(() => {
      ending.delete(ended)
    })
    ending.add(ended)
  }

  const endAll = (id: ProjectId, project: Project) => {
    projects.delete(id)
    for (const slot of [...project.slots.values()]) end(project, slot)
  }

  /** Ends those that nobody uses of the projects that `isDue` names, the longest unused first. */
  const endUnused = (isDue: (project: Project) => boolean) => {
    for (const [id, project] of [...projects]) {
      if (!isDue(project)) continue
      for (const slot of [...project.slots.values()]) if (!slot.isHeld()) end(project, slot)
      if (project.slots.size === 0) projects.delete(id)
    }
  }

  function sweep() {
    cancelSweep = undefined
    const before = clock.monotonic() - SANDBOX_IDLE_MS
    endUnused(({ usedAt }) => usedAt <= before)
    if (projects.size > 0) cancelSweep = clock.after(PLUGIN_IDLE_SWEEP_MS, sweep)
  }

  /** Those that are ending count too: a config may be saved again and again. */
  const isFull = () =>
    live >= PLUGIN_INSTANCES_MAX || live + ending.size >= 2 * PLUGIN_INSTANCES_MAX

  const tellFull = () => {
    const now = clock.monotonic()
    if (now - toldFullAt < PLUGIN_IDLE_SWEEP_MS) return
    toldFullAt = now
    log.warn('no room for another plugin', { plugins: live, ending: ending.size })
  }

  const slotOf = (id: ProjectId, project: Project, step: PluginStep): Slot | 'full' | 'spent' => {
    const known = project.slots.get(step.configId)
    if (known?.stamps().has(step.stamp)) return known
    if (spent.get(step.configId)?.has(step.stamp)) return 'spent'
    if (known !== undefined) end(project, known)
    if (isFull()) endUnused((each) => each !== project && isFull())
    if (isFull()) {
      tellFull()
      return 'full'
    }
    const slot = createSlot(deps, id, step)
    live += 1
    project.slots.set(step.configId, slot)
    return slot
  }

  const hold = (id: ProjectId, project: Project, steps: readonly PluginStep[]): HeldSlots => {
    const found = steps.map((step) => ({ step, slot: slotOf(id, project, step) }))
    const slots = found.flatMap(({ slot }) => (typeof slot === 'string' ? [] : slot))
    const releases = slots.map((slot) => slot.hold())
    return {
      slots,
      missing: found.flatMap(({ step, slot }) => (slot === 'full' ? step : [])),
      async firstLoad() {
        await Promise.all(slots.map((slot) => slot.firstLoad()))
      },
      release() {
        for (const release of releases) release()
        project.usedAt = clock.monotonic()
      },
    }
  }

  return {
    holdPlan(id, steps) {
      const project = projectOf(id)
      const wanted = new Set(steps.map(({ configId }) => configId))
      for (const slot of [...project.slots.values()]) {
        if (!wanted.has(slot.step.configId)) end(project, slot)
      }
      return hold(id, project, steps)
    },
    holdOne: (id, step) => hold(id, projectOf(id), [step]),
    unload(id) {
      const project = projects.get(id)
      if (project !== undefined) endAll(id, project)
    },
    size: () => live,
    async close() {
      cancelSweep?.()
      for (const [id, project] of [...projects]) endAll(id, project)
      while (ending.size > 0) await Promise.all(ending)
    },
  }
}
