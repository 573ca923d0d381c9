/** Writing a cohort within the transaction of its project: checked, and entered in the audit log. */
import { type ProjectAccess, rowUuid } from '../../access/access.ts'
import { accepted, found, invalid } from '../../access/errors.ts'
import type { Principal } from '../../access/principal.ts'
import { learnPatterns } from '../../conditions/patterns/learn-patterns.ts'
import type { ProjectId } from '../../core/ids.ts'
import { type Json, objectOf, own } from '../../core/json.ts'
import { COHORTS_MAX } from '../../core/limits/limits-query.ts'
import { workInTurns } from '../../core/work/turns.ts'
import { distinctIdsOfUuids } from '../../event-store/postgres/persons/find-person.ts'
import { judgeCohort, judgeRemoval } from '../../flags/checks/cohort-uses.ts'
import { judgeSum } from '../../flags/checks/project-conditions.ts'
import { validateCohortFilters } from '../../flags/checks/validate-cohort.ts'
import type { Db } from '../../postgres/db.ts'
import type { ChangeTransaction } from '../../project/ports.ts'
import {
  addMembers,
  type CohortSettings,
  countCohorts,
  deleteCohort,
  findCohort,
  insertCohort,
  type StoredCohort,
  updateCohort,
} from '../../store/cohorts/cohort-store.ts'
import { auditFacts, auditorOf } from '../audit.ts'
import { requireBytes, requireRoom } from '../saved/saved-rules.ts'
import {
  COHORT_DEFAULTS,
  COHORT_TYPE,
  type CohortFields,
  type MemberFields,
  mergeCohort,
  type NamedMembers,
  namedMembers,
  toCohort,
} from './cohort-message.ts'

/** Bytes of the JSON text of a cohort's conditions; one more is 400. */
const COHORT_FILTERS_BYTES_MAX = 131_072
/** Distinct ids that one request adds to a static cohort; one more is 400. */
const COHORT_IDS_MAX = 100_000
/** Distinct ids that one statement adds. */
const COHORT_IDS_OF_STATEMENT = 10_000

export type CohortCaller = { readonly access: ProjectAccess; readonly principal: Principal }

/** The current cohort, and the number of distinct ids of the request that no person has. */
export type WrittenCohort = {
  readonly cohort: StoredCohort
  readonly notFound: number | undefined
}

/** @throws {AppError} `invalid_argument` of the first field that is wrong. */
export async function addCohort(
  tx: ChangeTransaction,
  caller: CohortCaller,
  request: CohortFields & MemberFields & { readonly is_static?: boolean },
): Promise<WrittenCohort> {
  const { projectId } = caller.access
  const isStatic = request.is_static ?? false
  const settings = mergeCohort(COHORT_DEFAULTS, isStatic ? { ...request, filters: null } : request)
  if (!isStatic) {
    if ((request.filters ?? null) === null) {
      throw invalid('This field is required.', 'filters', 'required')
    }
    await requireFilters(settings)
  }
  const members = requireMembers(request, isStatic)
  await requireRoom(countCohorts(tx, projectId, { hidden: true }), COHORTS_MAX, 'cohorts')
  const author = caller.principal.userId
  const id = await insertCohort(tx, { projectId, author, isStatic }, settings)
  if (!isStatic) {
    tx.judgeFlags((left) => {
      accepted(judgeCohort(id, left))
      accepted(judgeSum(left))
    })
  }
  return await written(tx, caller, null, { id, members })
}

/** @throws {AppError} `invalid_argument` of the first field that is wrong; `not_found`. */
export async function changeCohort(
  tx: ChangeTransaction,
  caller: CohortCaller,
  id: number,
  request: CohortFields & MemberFields,
): Promise<WrittenCohort> {
  const stored = found(await findCohort(tx, caller.access.projectId, id))
  const { isStatic } = stored
  const settings = mergeCohort(stored, isStatic ? { ...request, filters: null } : request)
  const isGiven = !isStatic && (request.filters ?? null) !== null
  if (isGiven) await requireFilters(settings)
  const members = requireMembers(request, isStatic)
  await updateCohort(tx, id, settings)
  const isShown = stored.deleted && !settings.deleted
  tx.judgeFlags((left) => {
    if (settings.deleted && !stored.deleted) accepted(judgeRemoval(id, left, 'deleted'))
    if (settings.deleted || isStatic || !(isGiven || isShown)) return
    accepted(judgeCohort(id, left))
    accepted(judgeSum(left))
  })
  return await written(tx, caller, stored, { id, members })
}

/** @throws {AppError} `invalid_argument` when a flag or another cohort uses it; `not_found`. */
export async function removeCohort(
  tx: ChangeTransaction,
  caller: CohortCaller,
  id: number,
): Promise<void> {
  const before = found(await findCohort(tx, caller.access.projectId, id))
  await deleteCohort(tx, id)
  tx.judgeFlags((left) => accepted(judgeRemoval(id, left, null)))
  await auditCohort(tx, caller, { before, after: null })
}

/** The conditions of unsaved filters. @throws {AppError} `invalid_argument`. */
export async function requireConditions(filters: Json): Promise<readonly Json[]> {
  await requireFilters({ filters })
  const conditions = own(objectOf(filters), 'properties') ?? null
  return [conditions]
}

async function requireFilters({ filters }: Pick<CohortSettings, 'filters'>): Promise<void> {
  requireBytes(filters, COHORT_FILTERS_BYTES_MAX, 'filters')
  await workInTurns(learnPatterns(filters))
  accepted(validateCohortFilters(filters))
}

function requireMembers(request: MemberFields, isStatic: boolean): NamedMembers | undefined {
  const attr = request.csv === undefined ? 'distinct_ids' : 'csv'
  const named = namedMembers(request)
  if (!named.ok) throw invalid(named.error, attr)
  const { value: members } = named
  if (members === undefined) return undefined
  if (!isStatic) throw invalid('Only static cohorts take distinct ids.', attr)
  if (members.distinctIds.length + members.personIds.length > COHORT_IDS_MAX) {
    throw invalid(`At most ${COHORT_IDS_MAX} distinct ids at a time.`, attr, 'max_length')
  }
  return members
}

const auditCohort = auditorOf<StoredCohort>({
  scope: 'Cohort',
  type: COHORT_TYPE,
  idOf: ({ id }) => id,
  nameOf: ({ name }) => name,
  show: (cohort) => toCohort(cohort),
})

/** The cohort after a change, with its entries in the audit log: of persons their number alone. */
async function written(
  tx: Db,
  caller: CohortCaller,
  before: StoredCohort | null,
  { id, members }: { readonly id: number; readonly members: NamedMembers | undefined },
): Promise<WrittenCohort> {
  const { projectId } = caller.access
  const cohort = found(await findCohort(tx, projectId, id))
  await auditCohort(tx, caller, { before, after: cohort })
  if (members === undefined) return { cohort, notFound: undefined }
  const { added, notFound } = await addNamed(tx, projectId, id, members)
  const entry = { activity: 'persons_added', itemId: id, itemName: cohort.name }
  await auditFacts(tx, caller, { scope: 'Cohort', ...entry, facts: { persons: added } })
  return { cohort, notFound }
}

async function addNamed(
  tx: Db,
  project: ProjectId,
  cohort: number,
  { distinctIds, personIds }: NamedMembers,
): Promise<{ readonly added: number; readonly notFound: number }> {
  const uuids = [...new Set(personIds.map(rowUuid).filter((uuid) => uuid !== undefined))]
  const ofPersons = await inParts(uuids, (part) => distinctIdsOfUuids(tx, project, part))
  const ids = [...new Set([...distinctIds, ...ofPersons.flat()])]
  const parts = await inParts(ids, (part) => addMembers(tx, project, cohort, part))
  return {
    added: parts.reduce((sum, { added }) => sum + added, 0),
    notFound: parts.reduce(
      (sum, { notFound }) => sum + notFound,
      personIds.length - ofPersons.flat().length,
    ),
  }
}

/** One part after the other, each for one statement. */
async function inParts<T>(
  ids: readonly string[],
  work: (part: readonly string[]) => Promise<T>,
): Promise<T[]> {
  const done: T[] = []
  for (let at = 0; at < ids.length; at += COHORT_IDS_OF_STATEMENT) {
    done.push(await work(ids.slice(at, at + COHORT_IDS_OF_STATEMENT)))
  }
  return done
}
