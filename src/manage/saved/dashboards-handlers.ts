/** Handlers of `DashboardService`. */

import type { Dashboard } from '../../../proto/gen/sluice/v1/Dashboard.ts'
import type { DashboardServiceDefinition } from '../../../proto/gen/sluice/v1/DashboardService.ts'
import type { DashboardSummary } from '../../../proto/gen/sluice/v1/DashboardSummary.ts'
import type { UpdateDashboardRequest__Output } from '../../../proto/gen/sluice/v1/UpdateDashboardRequest.ts'
import { type ProjectAccess, rowId } from '../../access/access.ts'
import { accepted, found } from '../../access/errors.ts'
import type { Principal } from '../../access/principal.ts'
import type { Clock } from '../../core/clock.ts'
import type { ProjectId } from '../../core/ids.ts'
import { isList, objectOf } from '../../core/json.ts'
import type { Sql } from '../../postgres/connect.ts'
import type { Db } from '../../postgres/db.ts'
import { defaultsOf } from '../../postgres/settings-fields.ts'
import { askingProject } from '../../query/insights/answer.ts'
import { checkOverride } from '../../query/insights/check-question.ts'
import { findProject } from '../../store/projects/project-store.ts'
import {
  clearPrimaryDashboard,
  countDashboards,
  DASHBOARD_FIELDS,
  type DashboardItem,
  type DashboardSettings,
  deleteDashboard,
  findDashboard,
  insertDashboard,
  listDashboards,
  listTiles,
  replaceTiles,
  type StoredDashboard,
  type StoredTile,
  updateDashboard,
} from '../../store/saved/dashboard-store.ts'
import { countStored } from '../../store/saved/saved-list.ts'
import { fromValue } from '../../wire/proto/value.ts'
import type { ServiceHandlers } from '../../wire/service-handlers.ts'
import { auditorOf } from '../audit.ts'
import type { Management } from '../management.ts'
import { mergeFields, toFields } from '../settings-messages.ts'
import { wordsOf } from '../words-of-search.ts'
import { type AskedTile, readTiles, resolveTiles, toDashboardTile } from './dashboard-tiles.ts'
import { changeFields, savedOrder } from './saved-insight-message.ts'
import { beginSaved, requireBytes, requireRoom } from './saved-rules.ts'

/** Full name of the message, as the audit log takes it. */
const DASHBOARD_TYPE = 'sluice.v1.Dashboard'

/** A dashboard with its tiles. */
type WholeDashboard = StoredDashboard & { readonly tiles: readonly StoredTile[] }

/** Settings of a new dashboard unless its request sets them. */
const DASHBOARD_DEFAULTS: DashboardSettings = defaultsOf(DASHBOARD_FIELDS)

/** The writable fields, which the messages of a create and an update share. */
type DashboardFields = Omit<UpdateDashboardRequest__Output, 'id' | 'project_id'>

/** The settings that `base` and the given fields make together. */
function mergeDashboard(base: DashboardSettings, request: DashboardFields): DashboardSettings {
  return mergeFields(DASHBOARD_FIELDS, base, request)
}

/**
 * The tiles that a request names; undefined when it names none.
 * @throws {AppError} `invalid_argument` of an invalid tile.
 */
function tilesOf(request: DashboardFields): readonly AskedTile[] | undefined {
  const tiles = fromValue(request.tiles)
  return isList(tiles) ? readTiles(tiles) : undefined
}

function toDashboard(stored: WholeDashboard): Dashboard {
  const filters = objectOf(stored.filters)
  return {
    id: stored.id,
    ...toFields(DASHBOARD_FIELDS, { ...stored, filters }),
    tiles: stored.tiles.map((tile) => toDashboardTile(tile, filters)),
    ...changeFields(stored),
  }
}

function toDashboardSummary(stored: DashboardItem): DashboardSummary {
  const { id, name, description, tags } = stored
  return { id, name, description, tags: [...tags], ...changeFields(stored) }
}

/** Dashboards of a project, hidden ones too; one more is 400. */
const DASHBOARDS_MAX = 1_000
/** Bytes of the JSON text of a dashboard's filters. */
const DASHBOARD_FILTERS_BYTES_MAX = 16_384

const SERVICE = '/sluice.v1.DashboardService'

export type DashboardHandlersDeps = {
  readonly management: Management
  readonly sql: Sql
  readonly clock: Clock
}

type Handlers = ServiceHandlers<DashboardServiceDefinition>
type Caller = { readonly access: ProjectAccess; readonly principal: Principal }

/** Like insights, dashboards are no part of the compiled state of their project. */
export function createDashboardHandlers(deps: DashboardHandlersDeps): Handlers {
  return { ...readHandlers(deps), ...changeHandlers(deps) }
}

function readHandlers({
  management,
  sql,
}: DashboardHandlersDeps): Pick<Handlers, 'ListDashboards' | 'GetDashboard'> {
  return {
    ListDashboards: management.underProject(`${SERVICE}/ListDashboards`, {
      async run({ request, access }) {
        const selection = { project: access.projectId, words: wordsOf(request.search) }
        const [count, dashboards] = await Promise.all([
          countDashboards(sql, selection),
          listDashboards(sql, selection, savedOrder(request.order), request),
        ])
        return { count, results: dashboards.map(toDashboardSummary) }
      },
    }),

    GetDashboard: management.underProject(`${SERVICE}/GetDashboard`, {
      find: ({ request, access }) => dashboardOf(sql, access.projectId, request.id),
      run: async (_call, dashboard) => toDashboard(dashboard),
    }),
  }
}

function changeHandlers({
  management,
  sql,
  clock,
}: DashboardHandlersDeps): Omit<Handlers, 'ListDashboards' | 'GetDashboard'> {
  const checked = async (project: ProjectId, request: DashboardFields) => {
    const filters = objectOf(mergeDashboard(DASHBOARD_DEFAULTS, request).filters)
    requireBytes(filters, DASHBOARD_FILTERS_BYTES_MAX, 'filters')
    const asking = askingProject(found(await findProject(sql, project)))
    accepted(checkOverride(clock, asking, filters))
    return tilesOf(request)
  }
  return {
    CreateDashboard: management.underProject(`${SERVICE}/CreateDashboard`, {
      async run({ request, ...caller }) {
        const { projectId } = caller.access
        const tiles = (await checked(projectId, request)) ?? []
        const settings = mergeDashboard(DASHBOARD_DEFAULTS, request)
        const dashboard = await beginSaved(sql, projectId, async (tx) => {
          await requireRoom(countStored(tx, 'dashboards', projectId), DASHBOARDS_MAX, 'dashboards')
          const id = await insertDashboard(tx, projectId, caller.principal.userId, settings)
          await replaceTiles(tx, id, await resolveTiles(tx, projectId, tiles))
          return await written(tx, caller, null, id)
        })
        return toDashboard(dashboard)
      },
    }),

    UpdateDashboard: management.underProject(`${SERVICE}/UpdateDashboard`, {
      find: ({ request, access }) => dashboardOf(sql, access.projectId, request.id),
      async run({ request, ...caller }, { id }) {
        const { projectId } = caller.access
        const tiles = await checked(projectId, request)
        const dashboard = await beginSaved(sql, projectId, async (tx) => {
          const before = await dashboardIn(tx, projectId, id)
          const settings = mergeDashboard(before, request)
          await updateDashboard(tx, id, caller.principal.userId, settings)
          if (tiles !== undefined) {
            await replaceTiles(tx, id, await resolveTiles(tx, projectId, tiles))
          }
          if (settings.deleted) await clearPrimaryDashboard(tx, projectId, id)
          return await written(tx, caller, before, id)
        })
        return toDashboard(dashboard)
      },
    }),

    DeleteDashboard: management.underProject(`${SERVICE}/DeleteDashboard`, {
      find: ({ request, access }) => dashboardOf(sql, access.projectId, request.id),
      async run(caller, { id }) {
        const { projectId } = caller.access
        await beginSaved(sql, projectId, async (tx) => {
          const before = await dashboardIn(tx, projectId, id)
          await deleteDashboard(tx, id)
          await clearPrimaryDashboard(tx, projectId, id)
          await auditDashboard(tx, caller, { before, after: null })
        })
        return {}
      },
    }),
  }
}

const auditDashboard = auditorOf<WholeDashboard>({
  scope: 'Dashboard',
  type: DASHBOARD_TYPE,
  idOf: ({ id }) => id,
  nameOf: ({ name }) => name,
  // The entry itself has author and time of the change; queries belong to the insights.
  show: (dashboard) => {
    const { last_modified_at: _at, last_modified_by: _by, ...shown } = toDashboard(dashboard)
    const tiles = shown.tiles?.map(({ query: _query, name: _name, ...tile }) => tile)
    return { ...shown, tiles }
  },
})

/** The dashboard after a change, with its entry in the audit log. */
async function written(
  tx: Db,
  caller: Caller,
  before: WholeDashboard | null,
  id: number,
): Promise<WholeDashboard> {
  const after = await dashboardIn(tx, caller.access.projectId, id)
  await auditDashboard(tx, caller, { before, after })
  return after
}

async function dashboardOf(db: Db, project: ProjectId, text: string): Promise<WholeDashboard> {
  return await dashboardIn(db, project, found(rowId(text)))
}

async function dashboardIn(db: Db, project: ProjectId, id: number): Promise<WholeDashboard> {
  const dashboard = found(await findDashboard(db, project, id))
  return { ...dashboard, tiles: await listTiles(db, id) }
}
