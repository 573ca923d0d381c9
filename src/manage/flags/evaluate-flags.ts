/** Evaluation of flags for a given subject, with the outcome of each condition. */
import type { EvaluateFlagsRequest__Output } from '../../../proto/gen/sluice/v1/EvaluateFlagsRequest.ts'
import type { EvaluateFlagsResponse } from '../../../proto/gen/sluice/v1/EvaluateFlagsResponse.ts'
import { accepted, invalid, unknownObject } from '../../access/errors.ts'
import { parseAbsolute } from '../../conditions/dates.ts'
import { learnPatterns } from '../../conditions/patterns/learn-patterns.ts'
import { type ProjectId, revision } from '../../core/ids.ts'
import { zoneOf } from '../../core/time/zone.ts'
import { workInTurns } from '../../core/work/turns.ts'
import { validateFlagFilters } from '../../flags/checks/validate.ts'
import { compilingSnapshot } from '../../flags/compile.ts'
import type { FlagDefinition, FlagSources } from '../../flags/definition.ts'
import type { FlagTrace } from '../../flags/flag-trace.ts'
import type { FlagRequest } from '../../flags/subject.ts'
import type { Db } from '../../postgres/db.ts'
import type { DecideService } from '../../project/decide.ts'
import { findFlagSnapshot, listFlagSnapshotsAt } from '../../store/audit/audit-read-store.ts'
import {
  FLAG_DEFAULTS,
  FLAG_FIELDS,
  type FlagSettings,
  loadFlagsForProject,
} from '../../store/projects/flag-store.ts'
import { fromValue } from '../../wire/proto/value.ts'
import { mergeFields } from '../settings-messages.ts'
import { objectOf } from '../wire-value.ts'
import { fromFlagSnapshot } from './flag-message.ts'
import { type ShownFlag, toFlagOutcome } from './flag-outcome-message.ts'

type FlagTestDeps = { readonly db: Db; readonly decide: DecideService }

/**
 * True for conditions of the caller on stored persons or groups: whether they hold reveals any
 * property, a pattern at a time.
 */
export function triesDraftOnStored(request: EvaluateFlagsRequest__Output): boolean {
  const isAboutStored =
    (request.distinct_id ?? '') !== '' || Object.keys(objectOf(request.groups)).length > 0
  return fromValue(request.filters) !== null && isAboutStored
}

/** Id of a draft that is not stored: no flag has it. */
const DRAFT_ID = 0

/**
 * @param showsProperties whether the answer may hold stored properties of a person.
 * @throws {AppError} `not_found` of an unknown flag; `invalid_argument` of the filters of a draft,
 * and of an invalid version or time.
 */
export async function evaluateFlags(
  { db, decide }: FlagTestDeps,
  project: ProjectId,
  request: EvaluateFlagsRequest__Output,
  showsProperties: boolean,
): Promise<EvaluateFlagsResponse> {
  const now = momentOf(request.time, 'time')
  const { sources, flag } = await asked(db, project, request)
  const flags = flag === undefined ? sources.flags : withFlag(sources.flags, flag)
  const snapshot = await workInTurns(compilingSnapshot({ ...sources, flags }))
  const byId = new Map(flags.map((each) => [each.id, each]))
  const shown: ShownFlag[] = []
  const question: FlagRequest = {
    ...subjectOf(request),
    ...(flag === undefined ? {} : { flagKeys: [flag.key] }),
  }
  const traces = new Map<number, FlagTrace | undefined>()
  const [answer] = await decide.decide([
    {
      state: { id: project, revision: revision(0), flags: snapshot },
      request: question,
      ...(now === undefined ? {} : { now }),
      ...(flag === undefined
        ? {}
        : { watch: (result, evaluation) => traces.set(result.id, evaluation?.trace()) }),
    },
  ])
  for (const result of answer?.evaluation.results ?? []) {
    const definition = byId.get(result.id)
    if (definition === undefined) continue
    shown.push({ result, definition, trace: traces.get(result.id) })
  }
  const options = { showsProperties, isActive: flag?.isActive ?? true }
  return { results: shown.map((each) => toFlagOutcome(each, options)) }
}

type AskedFlag = FlagDefinition & {
  /** It is evaluated as if it were. */
  readonly isActive: boolean
}

/** Reads the flags of the project, and the one that is asked about. */
async function asked(
  db: Db,
  project: ProjectId,
  request: EvaluateFlagsRequest__Output,
): Promise<{ readonly sources: FlagSources; readonly flag: AskedFlag | undefined }> {
  const { flag_id: id } = request
  const at = whenOf(request)
  const loaded = await loadFlagsForProject(db, project)
  const sources =
    at.kind === 'time' ? { ...loaded, flags: await flagsAt(db, project, at.time) } : loaded
  const drafted = fromValue(request.filters)
  const hasDraft = drafted !== null || request.key !== undefined
  if (id === undefined && !hasDraft) return { sources, flag: undefined }
  const stored = id === undefined ? undefined : await definitionAt(db, sources, { project, id, at })
  const base = stored ?? definitionOf(project, { id: DRAFT_ID, version: 0 }, FLAG_DEFAULTS)
  const flag = {
    ...base,
    ...mergeFields(DRAFT_FIELDS, base, request),
    key: request.key ?? (base.key === '' ? 'draft' : base.key),
    filters: drafted ?? base.filters,
    isActive: base.active,
    active: true,
    deleted: false,
  }
  if (drafted !== null) {
    await workInTurns(learnPatterns(drafted))
    requireValid(flag, sources)
  }
  return { sources, flag }
}

/** Fields of a draft beside its key and filters. */
const DRAFT_FIELDS = {
  ensure_experience_continuity: FLAG_FIELDS.ensure_experience_continuity,
  bucketing_identifier: FLAG_FIELDS.bucketing_identifier,
}

type When =
  | { readonly kind: 'now' }
  | { readonly kind: 'version'; readonly version: number }
  | { readonly kind: 'time'; readonly time: Date }

const VERSION_MAX = 2_147_483_647

function whenOf({ at, flag_id: id }: EvaluateFlagsRequest__Output): When {
  const value = fromValue(at)
  if (value === null) return { kind: 'now' }
  if (typeof value === 'string') {
    return { kind: 'time', time: new Date(momentOf(value, 'at') ?? 0) }
  }
  const isVersion = typeof value === 'number' && Number.isInteger(value)
  if (!isVersion || value < 1 || value > VERSION_MAX) {
    throw invalid('Must be the number of a version, or a date and time of ISO 8601.', 'at')
  }
  if (id === undefined) throw invalid('A version is that of a flag: name one.', 'flag_id')
  return { kind: 'version', version: value }
}

function momentOf(text: string | undefined, attr: string): number | undefined {
  if (text === undefined) return undefined
  const ms = parseAbsolute(text, zoneOf('UTC'))
  if (ms === undefined) throw invalid('Must be a date and time of ISO 8601.', attr)
  return ms
}

async function definitionAt(
  db: Db,
  { flags }: FlagSources,
  { project, id, at }: { readonly project: ProjectId; readonly id: number; readonly at: When },
): Promise<FlagDefinition> {
  const stored = flags.find((flag) => flag.id === id)
  if (at.kind === 'time' && stored === undefined) {
    throw invalid('The flag did not exist at that time.', 'at', 'does_not_exist')
  }
  if (stored === undefined) throw unknownObject(id, 'flag_id')
  if (at.kind !== 'version' || at.version === stored.version) return stored
  const snapshot = await findFlagSnapshot(db, project, id, at.version)
  if (snapshot === undefined) {
    throw invalid(`Version ${at.version} does not exist.`, 'at', 'does_not_exist')
  }
  const settings = fromFlagSnapshot(snapshot, { performedRollback: false })
  return definitionOf(project, { id, version: at.version }, settings)
}

async function flagsAt(db: Db, project: ProjectId, at: Date): Promise<readonly FlagDefinition[]> {
  const snapshots = await listFlagSnapshotsAt(db, project, at)
  return snapshots.map(({ id, version, snapshot }) =>
    definitionOf(
      project,
      { id, version },
      fromFlagSnapshot(snapshot, { performedRollback: false }),
    ),
  )
}

function definitionOf(
  projectId: ProjectId,
  { id, version }: { readonly id: number; readonly version: number },
  settings: FlagSettings,
): FlagDefinition {
  const { key, name, active, deleted, filters, hasEncryptedPayloads } = settings
  const { ensureExperienceContinuity, bucketingIdentifier } = settings
  const { evaluationRuntime, evaluationContexts } = settings
  return {
    projectId,
    id,
    version,
    key,
    name,
    active,
    deleted,
    filters,
    hasEncryptedPayloads,
    ensureExperienceContinuity,
    bucketingIdentifier,
    evaluationRuntime,
    evaluationContexts,
  }
}

function withFlag(flags: readonly FlagDefinition[], flag: FlagDefinition): FlagDefinition[] {
  // A draft may have the key of another flag, which is left out then.
  const others = flags.filter(({ id, key }) => id !== flag.id && key !== flag.key)
  return [...others, flag]
}

function requireValid(flag: FlagDefinition, { flags, cohorts }: FlagSources): void {
  const context = {
    ...(flag.id === DRAFT_ID ? {} : { id: flag.id }),
    key: flag.key,
    cohorts: new Map(cohorts.map((cohort) => [cohort.id, cohort])),
    otherFlags: flags,
  }
  accepted(validateFlagFilters(flag.filters, context))
}

function subjectOf(request: EvaluateFlagsRequest__Output): FlagRequest {
  const personProperties = objectOf(request.person_properties)
  return {
    distinctId: request.distinct_id ?? '',
    deviceId: request.device_id,
    personProperties,
    groups: objectOf(request.groups),
    groupProperties: objectOf(request.group_properties),
  }
}
