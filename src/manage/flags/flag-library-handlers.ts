/** What server libraries ask for by themselves, most of it under the key of a project. */
import type { FeatureFlagServiceDefinition } from '../../../proto/gen/sluice/v1/FeatureFlagService.ts'
import type { GetLocalEvaluationResponse } from '../../../proto/gen/sluice/v1/GetLocalEvaluationResponse.ts'
import type { ProjectId } from '../../core/ids.ts'
import { PROPERTY_MATCHING_VERSION } from '../../flags/local/local-evaluation.ts'
import { remotePayload } from '../../flags/local/remote-payload.ts'
import type { Db } from '../../store/pool/db.ts'
import { loadLocalSources } from '../../store/projects/local-evaluation-store.ts'
import type { ServiceHandlers } from '../../wire/service-handlers.ts'
import type { Management } from '../management.ts'
import { toLocalEvaluation } from './flag-evaluation.ts'
import { pageOfFlags, payloadsOf } from './flag-reads.ts'

const SERVICE = '/sluice.v1.FeatureFlagService'

export type FlagLibraryHandlersDeps = { readonly management: Management; readonly db: Db }

type Handlers = Pick<
  ServiceHandlers<FeatureFlagServiceDefinition>,
  | 'GetLocalEvaluation'
  | 'GetLocalEvaluationByToken'
  | 'GetFlagDefinitions'
  | 'ListFeatureFlagsByToken'
  | 'GetRemoteConfig'
>

export function createFlagLibraryHandlers({ management, db }: FlagLibraryHandlersDeps): Handlers {
  return {
    GetLocalEvaluation: management.underProject(`${SERVICE}/GetLocalEvaluation`, {
      run: ({ request, access }) => definitionsOf(db, access.projectId, request),
    }),

    GetLocalEvaluationByToken: management.byToken(`${SERVICE}/GetLocalEvaluationByToken`, {
      run: ({ request, access }) => definitionsOf(db, access.projectId, request),
    }),

    GetFlagDefinitions: management.byToken(`${SERVICE}/GetFlagDefinitions`, {
      run: async ({ request, access }) => ({
        ...(await definitionsOf(db, access.projectId, request)),
        property_matching_version: PROPERTY_MATCHING_VERSION,
        minimal_flag_called_events: false,
      }),
    }),

    ListFeatureFlagsByToken: management.byToken(`${SERVICE}/ListFeatureFlagsByToken`, {
      run: ({ request, access }) => pageOfFlags(db, access.projectId, request),
    }),

    GetRemoteConfig: management.underProject(`${SERVICE}/GetRemoteConfig`, {
      find: ({ request, access }) => payloadsOf(db, access.projectId, request.key),
      run: async (_call, flag) => {
        const payload = remotePayload(flag)
        return payload === undefined ? {} : { payload }
      },
    }),
  }
}

async function definitionsOf(
  db: Db,
  project: ProjectId,
  request: { readonly send_cohorts?: string | undefined },
): Promise<GetLocalEvaluationResponse> {
  const withCohorts = request.send_cohorts !== undefined
  return toLocalEvaluation(await loadLocalSources(db, project), { withCohorts })
}
