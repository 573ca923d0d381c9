/** Changes persons, and notifies the decide caches before it answers. */
import { v7 as uuidv7 } from 'uuid'
import type { MergePersonsResponse } from '../../../proto/gen/sluice/v1/MergePersonsResponse.ts'
import type { Person } from '../../../proto/gen/sluice/v1/Person.ts'
import { found, invalid } from '../../access/errors.ts'
import { cleanJson, cleanText } from '../../core/clean-text.ts'
import type { Clock } from '../../core/clock.ts'
import type { ProjectId } from '../../core/ids.ts'
import type { JsonObject } from '../../core/json.ts'
import { cleanExact, exactJson } from '../../core/json-text/exact-numbers.ts'
import type { FoundPerson } from '../../event-store/postgres/persons/find-person.ts'
import {
  changeProperties,
  mergePersons,
} from '../../event-store/postgres/persons/person-change-store.ts'
import { isIllegalId } from '../../events/illegal-ids.ts'
import type { Sql } from '../../postgres/connect.ts'
import { violatedConstraint } from '../../postgres/failures.ts'
import { type AuditCaller, auditFacts } from '../audit.ts'
import { readPerson } from './person-reads.ts'

/** Awaited after the commit and before the answer. Never rejects. */
export type OnPersonsChanged = (project: ProjectId, distinctIds: readonly string[]) => Promise<void>

export type PersonChangeDeps = {
  readonly sql: Sql
  readonly clock: Clock
  readonly onPersonsChanged: OnPersonsChanged
}

type Asking = { readonly project: ProjectId; readonly caller: AuditCaller }

/** Attempts at a merge: it restarts when a flush attaches an id at the same time. */
const MERGE_TRIES = 10

/** @throws {AppError} `invalid_argument` when the person would become too large. */
export async function updatePerson(
  { sql, onPersonsChanged }: PersonChangeDeps,
  { project, caller }: Asking,
  person: FoundPerson,
  { set, unset }: { readonly set: JsonObject; readonly unset: readonly string[] },
): Promise<Person> {
  const names = Object.keys(set).map(cleanText)
  const removed = unset.map(cleanText)
  const both = removed.find((name) => names.includes(name))
  if (both !== undefined) throw invalid('A property is both set and removed.', 'unset')
  const isNothing = names.length + removed.length === 0
  const change = { set: isNothing ? '' : exactJson(cleanJson(set, cleanExact)), unset: removed }
  const { distinctIds, after } = await sql.begin(async (tx) => {
    const changed = await changeProperties(tx, project, person, change)
    if (changed === 'too_large') throw invalid(TOO_LARGE, 'properties')
    const { distinctIds } = found(changed === 'gone' ? undefined : changed)
    // Names only: an entry outlives the person, and values must be forgotten.
    const entry = { activity: 'updated', itemId: person.uuid, itemName: null }
    const facts = { set: names, unset: removed }
    await auditFacts(tx, caller, { scope: 'Person', ...entry, facts })
    return { distinctIds, after: await readPerson(tx, project, person) }
  })
  await onPersonsChanged(project, distinctIds)
  return after
}

const TOO_LARGE = 'The properties of a person may have 512 kB.'
const TOO_MUCH = 'Too much is to become one. Merge fewer at a time.'

type Merge = { readonly distinctIds: readonly string[]; readonly isDryRun: boolean }

/** @throws {AppError} `invalid_argument` for an invalid id, or too large a result. */
export async function merge(
  deps: PersonChangeDeps,
  asking: Asking,
  person: FoundPerson,
  { distinctIds, isDryRun }: Merge,
): Promise<MergePersonsResponse> {
  const others = [...new Set(distinctIds.map(cleanText))]
  if (others.length === 0) throw invalid('This field is required.', 'distinct_ids', 'required')
  const illegal = others.findIndex((id) => isIllegalId(id))
  if (illegal !== -1) throw invalid('Names nobody: clients send it for many.', 'distinct_ids')
  const { told, answer } = await retried(() =>
    mergeOnce(deps, asking, person, { others, isDryRun }),
  )
  if (!isDryRun) await deps.onPersonsChanged(asking.project, told)
  return answer
}

type Merged = { readonly told: readonly string[]; readonly answer: MergePersonsResponse }

/** Rolls back the transaction of a dry run, and carries its result. */
class DryRun extends Error {
  readonly merged: Merged

  constructor(merged: Merged) {
    super('nothing is kept of a dry run')
    this.merged = merged
  }
}

async function mergeOnce(
  { sql, clock }: PersonChangeDeps,
  { project, caller }: Asking,
  person: FoundPerson,
  { others, isDryRun }: { readonly others: readonly string[]; readonly isDryRun: boolean },
): Promise<Merged> {
  const at = { at: new Date(clock.now()).toISOString().replace('Z', '000Z'), uuid: () => uuidv7() }
  try {
    return await sql.begin(async (tx) => {
      const done = await mergePersons(tx, project, person, others, at)
      if (done === 'too_large') throw invalid(TOO_LARGE, 'distinct_ids')
      if (done === 'too_much') throw invalid(TOO_MUCH, 'distinct_ids')
      const { distinctIds, merged, attached } = found(done === 'gone' ? undefined : done)
      const after = await readPerson(tx, project, person)
      const answer = {
        person: after,
        merged: [...merged],
        attached: [...attached],
        dry_run: isDryRun,
      }
      if (isDryRun) throw new DryRun({ told: [], answer })
      const entry = { activity: 'merged', itemId: person.uuid, itemName: null }
      await auditFacts(tx, caller, { scope: 'Person', ...entry, facts: { merged: [...merged] } })
      return { told: distinctIds, answer }
    })
  } catch (error) {
    if (error instanceof DryRun) return error.merged
    throw error
  }
}

async function retried<T>(work: () => Promise<T>): Promise<T> {
  for (let attempt = 1; attempt < MERGE_TRIES; attempt++) {
    try {
      return await work()
    } catch (error) {
      if (violatedConstraint(error) !== 'distinct_ids_pkey') throw error
    }
  }
  return await work()
}
