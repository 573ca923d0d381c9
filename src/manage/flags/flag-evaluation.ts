/** Evaluation of flags for a caller, and definitions for local evaluation in libraries. */
import type { GetLocalEvaluationResponse } from '../../../proto/gen/sluice/v1/GetLocalEvaluationResponse.ts'
import type { LocalFlag } from '../../../proto/gen/sluice/v1/LocalFlag.ts'
import type { MyFlag } from '../../../proto/gen/sluice/v1/MyFlag.ts'
import { invalidPersonalKey } from '../../access/errors.ts'
import type { ProjectId, UserId } from '../../core/ids.ts'
import { isList, type Json, type JsonObject } from '../../core/json.ts'
import type { Work } from '../../core/work/turns.ts'
import type { FlagDefinition, FlagSources } from '../../flags/definition.ts'
import type { FlagValue } from '../../flags/flag-result.ts'
import type { CohortGroup } from '../../flags/local/local-cohorts.ts'
import { localDefinitions } from '../../flags/local/local-evaluation.ts'
import type { FlagRequest } from '../../flags/subject.ts'
import type { Db } from '../../postgres/db.ts'
import type { DecideService } from '../../project/decide.ts'
import type { ProjectActor } from '../../project/project-actor.ts'
import { findUser } from '../../store/people/user-store.ts'
import { listActiveFlags } from '../../store/projects/flag-store.ts'
import { toWireStruct, toWireValue } from '../wire-value.ts'
import { toFeatureFlag } from './flag-message.ts'

export type FlagEvaluationDeps = {
  readonly db: Db
  readonly activate: (project: ProjectId) => Promise<Pick<ProjectActor, 'state'>>
  readonly decide: DecideService
}

/** Every active flag with its value for the user's own distinct id, newest flag first. */
export async function flagsOfUser(
  deps: FlagEvaluationDeps,
  project: ProjectId,
  user: UserId,
  groups: FlagRequest['groups'],
): Promise<MyFlag[]> {
  const [flags, values] = await Promise.all([
    listActiveFlags(deps.db, project),
    valuesFor(deps, project, user, groups),
  ])
  return flags.flatMap((flag) => {
    // A flag that was created between the two reads is left to the next call.
    const value = values.get(flag.id)
    return value === undefined
      ? []
      : [{ feature_flag: toFeatureFlag(flag), value: toWireValue(value) }]
  })
}

async function valuesFor(
  { db, activate, decide }: FlagEvaluationDeps,
  project: ProjectId,
  user: UserId,
  groups: FlagRequest['groups'],
): Promise<ReadonlyMap<number, FlagValue>> {
  const [actor, caller] = await Promise.all([activate(project), findUser(db, user)])
  if (caller === undefined) throw invalidPersonalKey()
  const request = { distinctId: caller.distinctId, groups }
  const [answer] = await decide.decide([{ state: actor.state(), request }])
  return new Map(answer?.evaluation.results.map(({ id, value }) => [id, value]))
}

export function* localEvaluation(
  sources: FlagSources,
  options: { readonly withCohorts: boolean },
): Work<GetLocalEvaluationResponse> {
  const { flags, cohorts } = yield* localDefinitions(sources, options)
  const messages: LocalFlag[] = []
  for (const flag of flags) {
    const filters = filtersOf(flag)
    messages.push({ ...toLocalFlag(flag), filters: toWireValue(filters) })
    yield valuesIn(filters) / VALUES_OF_WORK
  }
  return {
    flags: messages,
    group_type_mapping: toWireStruct(Object.fromEntries(sources.groupTypes)),
    ...(cohorts === undefined ? {} : { cohorts: toWireStruct(cohortsById(cohorts)) }),
  }
}

/** The same as REST shows it, in one text: as messages its values cost twelve times as much. */
export function* localEvaluationText(
  sources: FlagSources,
  options: { readonly withCohorts: boolean },
): Work<string> {
  const { flags, cohorts } = yield* localDefinitions(sources, options)
  const flagTexts: string[] = []
  for (const flag of flags) {
    const { id, team_id, name, key, ...rest } = toLocalFlag(flag)
    const text = JSON.stringify({ id, team_id, name, key, filters: filtersOf(flag), ...rest })
    flagTexts.push(text)
    yield text.length / CHARS_OF_WORK
  }
  const cohortTexts: string[] = []
  for (const [id, group] of [...(cohorts ?? [])].toSorted(([one], [other]) => one - other)) {
    const text = `"${id}":${JSON.stringify(group)}`
    cohortTexts.push(text)
    yield text.length / CHARS_OF_WORK
  }
  const groups = JSON.stringify(Object.fromEntries(sources.groupTypes))
  const last = cohorts === undefined ? '' : `,"cohorts":{${cohortTexts.join()}}`
  return `{"flags":[${flagTexts.join()}],"group_type_mapping":${groups}${last}}`
}

/** Values that become messages in a microsecond. */
const VALUES_OF_WORK = 5

function valuesIn(json: Json): number {
  if (typeof json !== 'object' || json === null) return 1
  const inner: readonly Json[] = isList(json) ? json : Object.values(json)
  return inner.reduce<number>((sum, each) => sum + valuesIn(each), 1)
}

/** Characters of JSON that are written in a microsecond. */
const CHARS_OF_WORK = 100

type LocalFlagBody = Omit<Required<LocalFlag>, 'filters'>

function toLocalFlag(flag: FlagDefinition): LocalFlagBody {
  return {
    id: flag.id,
    team_id: flag.projectId,
    name: flag.name,
    key: flag.key,
    deleted: flag.deleted,
    active: flag.active,
    ensure_experience_continuity: flag.ensureExperienceContinuity,
    version: flag.version,
    bucketing_identifier: flag.bucketingIdentifier,
    evaluation_runtime: flag.evaluationRuntime,
    evaluation_contexts: [...flag.evaluationContexts],
    has_encrypted_payloads: flag.hasEncryptedPayloads,
  }
}

function filtersOf({ filters }: FlagDefinition): Json {
  return jsonOf(filters)
}

function cohortsById(cohorts: ReadonlyMap<number, CohortGroup>): JsonObject {
  return Object.fromEntries([...cohorts].map(([id, group]) => [id, jsonOf(group)]))
}

function jsonOf(definition: unknown): Json {
  // Made of columns that hold JSON, and of nothing else.
  return definition as Json
}
