/** Propagation of a change of a project's flags to the gateways. */
import type { GetPropagationRequest__Output } from '../../../proto/gen/sluice/v1/GetPropagationRequest.ts'
import type { Propagation } from '../../../proto/gen/sluice/v1/Propagation.ts'
import { type ProjectId, type Revision, revision } from '../../core/ids.ts'

/** Propagation of a project's changes, as its owner knows it. */
export type PropagationReads = {
  /** Number of gateways that are members now. */
  gateways(): number
  /**
   * Propagation of the newest change, or of the first one that brought `since`. Resolves once every
   * gateway holds it, and after `waitMs` at the latest.
   * @returns undefined when no such change is known.
   * @throws {NotOwnerError} when another worker owns the project.
   */
  settled(
    project: ProjectId,
    since: Revision | undefined,
    wait: { readonly waitMs: number; readonly signal: AbortSignal },
  ): Promise<Propagated | undefined>
}

type Propagated = {
  readonly revision: Revision
  readonly gateways: number
  readonly confirmed: number
  /** From the commit; undefined while a gateway is missing. */
  readonly elapsedMs: number | undefined
}

/** Rounds to microseconds: such times are no more precise. */
const PER_MS = 1_000

export async function flagPropagation(
  reads: PropagationReads,
  project: ProjectId,
  { revision: since, wait_ms: waitMs }: GetPropagationRequest__Output,
  signal: AbortSignal,
): Promise<Propagation> {
  const wanted = since === undefined ? undefined : revision(since)
  const found = await reads.settled(project, wanted, { waitMs: waitMs ?? 0, signal })
  if (found === undefined) return { gateways: reads.gateways() }
  const { elapsedMs, ...rest } = found
  if (elapsedMs === undefined) return rest
  return { ...rest, elapsed_ms: Math.round(elapsedMs * PER_MS) / PER_MS }
}
