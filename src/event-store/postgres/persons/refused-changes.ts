/**
 * Finds out which changes of a person are too large, once all of a flush together were refused: the
 * others are made. A flush has a bounded number of statements for that; then the rest is refused.
 */

import type { ProjectId } from '../../../core/ids.ts'
import { REFUSED_STATEMENTS_MAX } from '../../../core/limits/limits.ts'
import { bisect } from '../../../ingest/bisect.ts'
import { changesActors, type PersonsPlan, type PersonWork } from '../../../persons/plan-persons.ts'
import { changesNothing, PropertyFold } from '../../../persons/property-fold.ts'
import type { Db } from '../../../postgres/db.ts'
import { fits } from './property-bounds.ts'
import { type OwnedDistinctId, updatePersons } from './update-persons.ts'

export type ProjectPlan = { readonly projectId: ProjectId; readonly plan: PersonsPlan }

/** The projects in which a number of actors may be another one afterwards. */
export function changedActorsOf(plans: readonly ProjectPlan[]): readonly ProjectId[] {
  return plans.filter(({ plan }) => changesActors(plan)).map(({ projectId }) => projectId)
}

/** Persons left without what the plan sets on them. */
export type RefusedPersons = {
  /** Changes were refused. */
  readonly changed: readonly bigint[]
  /** Merges were refused the properties of the other person, and the changes with them. */
  readonly merged: readonly bigint[]
}

/** Work whose change of properties was refused. */
export type RefusedWork = {
  readonly projectId: ProjectId
  readonly work: PersonWork
  /** The properties of the other person of its merge were refused. */
  readonly isMerge: boolean
}

export type Settled = {
  readonly owned: readonly OwnedDistinctId[]
  readonly refused: readonly RefusedWork[]
}

const NOTHING: Settled = { owned: [], refused: [] }

/** Persons must be locked by the caller, those that the plan folds into others still there. */
export async function settleRefused(
  db: Db,
  plans: readonly ProjectPlan[],
  { changed, merged }: RefusedPersons,
): Promise<Settled> {
  if (changed.length === 0 && merged.length === 0) return NOTHING
  const settling = new Settling(db)
  const ofChanged = new Set(changed)
  const ofMerged = new Set(merged)
  for (const { projectId, plan } of plans) {
    for (const [id, works] of plan.works) {
      if (ofChanged.has(id)) await settling.change(projectId, id, works)
    }
    for (const { from, into } of plan.folded) {
      if (!ofMerged.has(into)) continue
      await settling.change(projectId, from, plan.works.get(from) ?? [])
      await settling.takeOver(projectId, from, into, plan.works.get(into) ?? [])
    }
    for (const id of ofMerged) await settling.change(projectId, id, plan.works.get(id) ?? [])
  }
  return settling
}

/** The overlay of a merge: what the one that takes over has wins. */
const TAKE_OVER = `
  update persons p set properties = o.properties || p.properties from persons o
  where p.id = $1::bigint and o.id = $2::bigint
    and (${fits('(o.properties || p.properties)', 'p.properties')})
  returning p.id`

class RefusedError extends Error {}

class Settling implements Settled {
  readonly owned: OwnedDistinctId[] = []
  readonly refused: RefusedWork[] = []
  readonly #db: Db
  #statementsLeft = REFUSED_STATEMENTS_MAX

  constructor(db: Db) {
    this.#db = db
  }

  /** Makes those changes that leave the person within its bound, in order. */
  async change(projectId: ProjectId, id: bigint, works: readonly PersonWork[]): Promise<void> {
    await bisect(works, {
      flush: (some) => this.#update(id, some),
      giveUp: async (work) => {
        this.refused.push({ projectId, work, isMerge: false })
      },
      isRowAtFault: (error) => error instanceof RefusedError,
    })
  }

  async takeOver(
    projectId: ProjectId,
    from: bigint,
    into: bigint,
    works: readonly PersonWork[],
  ): Promise<void> {
    if (this.#mayAsk()) {
      const parameters = [String(into), String(from)]
      const rows = await this.#db.unsafe(TAKE_OVER, parameters, { prepare: true })
      if (rows.length > 0) return
    }
    const work = works.find(({ change }) => change.merge !== undefined)
    if (work !== undefined) this.refused.push({ projectId, work, isMerge: true })
  }

  async #update(id: bigint, works: readonly PersonWork[]): Promise<void> {
    const fold = new PropertyFold()
    for (const { change } of works) fold.add(change)
    const texts = fold.texts()
    if (changesNothing(texts)) return
    if (!this.#mayAsk()) throw new RefusedError()
    const { owned, refused } = await updatePersons(this.#db, [{ id, ...texts }])
    if (refused.length > 0) throw new RefusedError()
    this.owned.push(...owned)
  }

  #mayAsk(): boolean {
    this.#statementsLeft -= 1
    return this.#statementsLeft >= 0
  }
}
