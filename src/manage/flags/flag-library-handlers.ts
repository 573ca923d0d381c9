/** Handlers for polling by server libraries, most of it under the key of a project. */
import type { FeatureFlagServiceDefinition } from '../../../proto/gen/sluice/v1/FeatureFlagService.ts'
import type { GetLocalEvaluationResponse } from '../../../proto/gen/sluice/v1/GetLocalEvaluationResponse.ts'
import type { ProjectId } from '../../core/ids.ts'
import type { Json } from '../../core/json.ts'
import type { KeyRing } from '../../core/secrets/key-ring.ts'
import { ownTurn, workInTurns } from '../../core/work/turns.ts'
import type { FlagSources } from '../../flags/definition.ts'
import { PROPERTY_MATCHING_VERSION } from '../../flags/local/local-evaluation.ts'
import { remotePayload } from '../../flags/local/remote-payload.ts'
import type { Db } from '../../postgres/db.ts'
import { createFlights } from '../../query/insights/jobs/flights.ts'
import { loadLocalSources } from '../../store/projects/flag-store.ts'
import { openPayloads } from '../../store/secrets/flag-payloads.ts'
import type { CallContext } from '../../wire/call.ts'
import { joinsPieces } from '../../wire/proto/page-pieces.ts'
import type { ServiceHandlers } from '../../wire/service-handlers.ts'
import type { Management } from '../management.ts'
import { localEvaluation, localEvaluationText } from './flag-evaluation.ts'
import { pageOfFlags, payloadsOf } from './flag-reads.ts'

const SERVICE = '/sluice.v1.FeatureFlagService'

export type FlagLibraryHandlersDeps = {
  readonly management: Management
  readonly db: Db
  /** Keys that open payloads. */
  readonly secrets: KeyRing
}

type Asked = { readonly send_cohorts?: string | undefined }

type Handlers = Pick<
  ServiceHandlers<FeatureFlagServiceDefinition>,
  | 'GetLocalEvaluation'
  | 'GetLocalEvaluationByToken'
  | 'GetFlagDefinitions'
  | 'ListFeatureFlagsByToken'
  | 'GetRemoteConfig'
>

export function createFlagLibraryHandlers(deps: FlagLibraryHandlersDeps): Handlers {
  const { management, db, secrets } = deps
  const flights = createFlights<GetLocalEvaluationResponse>()
  /** Servers that ask at a time share one answer, all but the first ones. */
  const definitions = async (
    project: ProjectId,
    { send_cohorts }: Asked,
    { signal, metadata }: CallContext,
  ) => {
    const withCohorts = send_cohorts !== undefined
    const isText = joinsPieces(metadata)
    const read = () => definitionsOf(deps, project, { withCohorts, isText })
    const answer = await flights.run(`${project} ${withCohorts} ${isText}`, signal, read)
    await ownTurn() // Each is written in one: they have it at the same moment.
    return answer
  }
  return {
    GetLocalEvaluation: management.underProject(`${SERVICE}/GetLocalEvaluation`, {
      run: ({ request, access, context }) => definitions(access.projectId, request, context),
    }),

    GetLocalEvaluationByToken: management.byToken(`${SERVICE}/GetLocalEvaluationByToken`, {
      run: ({ request, access, context }) => definitions(access.projectId, request, context),
    }),

    GetFlagDefinitions: management.byToken(`${SERVICE}/GetFlagDefinitions`, {
      run: async ({ request, access, context }) => {
        const answer = await definitions(access.projectId, request, context)
        return answer.text === undefined
          ? { ...answer, ...RULES }
          : { text: withMembers(answer.text, RULES) }
      },
    }),

    ListFeatureFlagsByToken: management.byToken(`${SERVICE}/ListFeatureFlagsByToken`, {
      run: ({ request, access }) => pageOfFlags(db, access.projectId, request),
    }),

    GetRemoteConfig: management.underProject(`${SERVICE}/GetRemoteConfig`, {
      find: ({ request, access }) => payloadsOf(db, access.projectId, request.key),
      run: async ({ access: { projectId } }, { id: flagId, active, filters }) => {
        const opened = openPayloads(secrets, { projectId, flagId }, filters)
        const payload = remotePayload({ active, filters: opened })
        return payload === undefined ? {} : { payload }
      },
    }),
  }
}

/** How libraries compare. */
const RULES = {
  property_matching_version: PROPERTY_MATCHING_VERSION,
  minimal_flag_called_events: false,
}

/** JSON text of an object that has members, with further ones. */
function withMembers(text: string, members: object): string {
  return `${text.slice(0, -1)},${JSON.stringify(members).slice(1)}`
}

/**
 * Definitions with payloads in clear, secret ones too: the key may read each by GetRemoteConfig,
 * and the library hands them to the service that it is part of.
 */
async function definitionsOf(
  { db, secrets }: Pick<FlagLibraryHandlersDeps, 'db' | 'secrets'>,
  project: ProjectId,
  { isText, ...options }: { readonly withCohorts: boolean; readonly isText: boolean },
): Promise<GetLocalEvaluationResponse> {
  const sources = opened(secrets, await loadLocalSources(db, project))
  if (!isText) return await workInTurns(localEvaluation(sources, options))
  return { text: await workInTurns(localEvaluationText(sources, options)) }
}

function opened(secrets: KeyRing, sources: FlagSources): FlagSources {
  const flags = sources.flags.map((flag) => {
    if (!flag.hasEncryptedPayloads) return flag
    // A column that holds JSON.
    const filters = flag.filters as Json
    const owner = { projectId: flag.projectId, flagId: flag.id }
    return { ...flag, filters: openPayloads(secrets, owner, filters) }
  })
  return { ...sources, flags }
}
