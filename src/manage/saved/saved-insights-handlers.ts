/** Handlers of `SavedInsightService`. */

import { randomInt } from 'node:crypto'
import type { SavedInsightServiceDefinition } from '../../../proto/gen/sluice/v1/SavedInsightService.ts'
import type { ProjectAccess } from '../../access/access.ts'
import { accepted, found } from '../../access/errors.ts'
import type { Principal } from '../../access/principal.ts'
import type { Clock } from '../../core/clock.ts'
import type { ProjectId } from '../../core/ids.ts'
import type { Json } from '../../core/json.ts'
import type { Sql } from '../../postgres/connect.ts'
import type { Db } from '../../postgres/db.ts'
import { askingProject } from '../../query/insights/answer.ts'
import { checkQuestion } from '../../query/insights/check-question.ts'
import { disableAlertsOf } from '../../store/alerts/alert-store.ts'
import { findProject } from '../../store/projects/project-store.ts'
import {
  countInsights,
  deleteInsight,
  findInsight,
  insertInsight,
  listInsights,
  type StoredInsight,
  updateInsight,
} from '../../store/saved/saved-insight-store.ts'
import { countStored } from '../../store/saved/saved-list.ts'
import type { ServiceHandlers } from '../../wire/service-handlers.ts'
import { auditorOf } from '../audit.ts'
import type { Management } from '../management.ts'
import { insightOf } from './insight-of.ts'
import {
  INSIGHT_DEFAULTS,
  INSIGHT_TYPE,
  mergeInsight,
  savedOrder,
  toInsightSelection,
  toSavedInsight,
} from './saved-insight-message.ts'
import { beginSaved, requireBytes, requireRoom } from './saved-rules.ts'

/** Insights that a project keeps, hidden ones too; one more is 400. */
const SAVED_INSIGHTS_MAX = 5_000
/** Bytes of the JSON text of a saved question; one more is 400. */
const SAVED_QUERY_BYTES_MAX = 32_768

const SERVICE = '/sluice.v1.SavedInsightService'

export type SavedInsightHandlersDeps = {
  readonly management: Management
  readonly sql: Sql
  readonly clock: Clock
}

type Caller = { readonly access: ProjectAccess; readonly principal: Principal }

type Handlers = Omit<ServiceHandlers<SavedInsightServiceDefinition>, 'ExportSavedInsight'>

// An insight is no part of the compiled state of its project: its changes need no actor and no new
// revision, which would void what every gateway has cached. The project's lock orders them.
export function createSavedInsightHandlers(deps: SavedInsightHandlersDeps): Handlers {
  return { ...readHandlers(deps), ...changeHandlers(deps) }
}

function readHandlers({
  management,
  sql,
}: SavedInsightHandlersDeps): Pick<Handlers, 'ListSavedInsights' | 'GetSavedInsight'> {
  return {
    ListSavedInsights: management.underProject(`${SERVICE}/ListSavedInsights`, {
      async run({ request, access }) {
        const selection = toInsightSelection(access.projectId, request)
        const [count, insights] = await Promise.all([
          countInsights(sql, selection),
          listInsights(sql, selection, savedOrder(request.order), request),
        ])
        return { count, results: insights.map(toSavedInsight) }
      },
    }),

    GetSavedInsight: management.underProject(`${SERVICE}/GetSavedInsight`, {
      find: ({ request, access }) => insightOf(sql, access.projectId, request.id),
      run: async (_call, insight) => toSavedInsight(insight),
    }),
  }
}

function changeHandlers({
  management,
  sql,
  clock,
}: SavedInsightHandlersDeps): Omit<Handlers, 'ListSavedInsights' | 'GetSavedInsight'> {
  const requireQuestion = async (project: ProjectId, query: Json): Promise<void> => {
    requireBytes(query, SAVED_QUERY_BYTES_MAX, 'query')
    const asking = askingProject(found(await findProject(sql, project)))
    accepted(checkQuestion(clock, asking, query))
  }
  return {
    CreateSavedInsight: management.underProject(`${SERVICE}/CreateSavedInsight`, {
      async run({ request, access, principal }) {
        const settings = mergeInsight(INSIGHT_DEFAULTS, request)
        await requireQuestion(access.projectId, settings.query)
        const identity = {
          projectId: access.projectId,
          shortId: makeShortId(),
          author: principal.userId,
        }
        const insight = await beginSaved(sql, access.projectId, async (tx) => {
          await requireRoom(
            countStored(tx, 'insights', access.projectId),
            SAVED_INSIGHTS_MAX,
            'insights',
          )
          const id = await insertInsight(tx, identity, settings)
          return await written(tx, { access, principal }, null, id)
        })
        return toSavedInsight(insight)
      },
    }),

    UpdateSavedInsight: management.underProject(`${SERVICE}/UpdateSavedInsight`, {
      find: ({ request, access }) => insightOf(sql, access.projectId, request.id),
      async run({ request, access, principal }, { id }) {
        const { projectId } = access
        const given = mergeInsight(INSIGHT_DEFAULTS, request).query
        if (given !== null) await requireQuestion(projectId, given)
        const insight = await beginSaved(sql, projectId, async (tx) => {
          const stored = found(await findInsight(tx, projectId, { kind: 'id', id }))
          const settings = mergeInsight(stored, request)
          await updateInsight(tx, id, principal.userId, settings)
          if (settings.deleted) await disableAlertsOf(tx, id)
          return await written(tx, { access, principal }, stored, id)
        })
        return toSavedInsight(insight)
      },
    }),

    DeleteSavedInsight: management.underProject(`${SERVICE}/DeleteSavedInsight`, {
      find: ({ request, access }) => insightOf(sql, access.projectId, request.id),
      async run({ access, principal }, { id }) {
        const { projectId } = access
        await beginSaved(sql, projectId, async (tx) => {
          const before = found(await findInsight(tx, projectId, { kind: 'id', id }))
          await disableAlertsOf(tx, id)
          await deleteInsight(tx, id)
          await auditInsight(tx, { principal, access }, { before, after: null })
        })
        return {}
      },
    }),
  }
}

const auditInsight = auditorOf<StoredInsight>({
  scope: 'Insight',
  type: INSIGHT_TYPE,
  idOf: ({ id }) => id,
  nameOf: ({ name, shortId }) => name || shortId,
  // The entry itself has author and time of the change.
  show: (insight) => {
    const { last_modified_at: _at, last_modified_by: _by, ...shown } = toSavedInsight(insight)
    return shown
  },
})

/** The insight after a change, with its entry in the audit log. */
async function written(
  tx: Db,
  caller: Caller,
  before: StoredInsight | null,
  id: number,
): Promise<StoredInsight> {
  const after = found(await findInsight(tx, caller.access.projectId, { kind: 'id', id }))
  await auditInsight(tx, caller, { before, after })
  return after
}

const LETTERS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
const LETTERS_AND_DIGITS = `${LETTERS}0123456789`
const LENGTH = 10
/** Random id: two insights of one project collide in about one of 10^10 projects. */
function makeShortId(): string {
  const pick = (alphabet: string) => alphabet.charAt(randomInt(alphabet.length))
  const others = Array.from({ length: LENGTH - 1 }, () => pick(LETTERS_AND_DIGITS))
  return pick(LETTERS) + others.join('')
}
