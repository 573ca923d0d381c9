/** The state of a project: as it is stored, and as this process uses it. */
import type { ProjectId, Revision } from '../core/ids.ts'
import { workInTurns } from '../core/work/turns.ts'
import { compilingSnapshot, type FlagSnapshot } from '../flags/compile.ts'
import type { FlagSources } from '../flags/definition.ts'
import type { PluginPlan } from './plugin-ports.ts'

type ProjectSettings = {
  readonly id: ProjectId
  readonly revision: Revision
  readonly apiToken: string
  readonly anonymizeIps: boolean
  /** The plugins that take its events first; undefined when there are none. */
  readonly plugins: PluginPlan | undefined
}

/** Project at one revision, as the database has it. */
export type StoredProject = ProjectSettings & { readonly sources: FlagSources }

/** Immutable snapshot of a project as of one revision. */
export type ProjectState = ProjectSettings & { readonly flags: FlagSnapshot }

/** Compiles in turns of the event loop. Never throws. */
export async function compileProject({
  sources,
  ...settings
}: StoredProject): Promise<ProjectState> {
  return { ...settings, flags: await workInTurns(compilingSnapshot(sources)) }
}
