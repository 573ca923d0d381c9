/** Dashboards as messages: reads, merges and renders their fields. */
import type { Dashboard } from '../../../proto/gen/sluice/v1/Dashboard.ts'
import type { DashboardSummary } from '../../../proto/gen/sluice/v1/DashboardSummary.ts'
import type { UpdateDashboardRequest__Output } from '../../../proto/gen/sluice/v1/UpdateDashboardRequest.ts'
import { isList, objectOf } from '../../core/json.ts'
import { defaultsOf } from '../../postgres/settings-fields.ts'
import {
  DASHBOARD_FIELDS,
  type DashboardItem,
  type DashboardSettings,
  type StoredDashboard,
  type StoredTile,
} from '../../store/saved/dashboard-store.ts'
import { fromValue } from '../../wire/proto/value.ts'
import { mergeFields, toFields } from '../settings-messages.ts'
import { type AskedTile, readTiles, toDashboardTile } from './dashboard-tiles.ts'
import { changeFields } from './saved-insight-message.ts'

/** Full name of the message, as the audit log takes it. */
export const DASHBOARD_TYPE = 'sluice.v1.Dashboard'

/** A dashboard with its tiles. */
export type WholeDashboard = StoredDashboard & { readonly tiles: readonly StoredTile[] }

/** Settings of a new dashboard unless its request sets them. */
export const DASHBOARD_DEFAULTS: DashboardSettings = defaultsOf(DASHBOARD_FIELDS)

/** The writable fields, which the messages of a create and an update share. */
export type DashboardFields = Omit<UpdateDashboardRequest__Output, 'id' | 'project_id'>

/** The settings that `base` and the given fields make together. */
export function mergeDashboard(
  base: DashboardSettings,
  request: DashboardFields,
): DashboardSettings {
  return mergeFields(DASHBOARD_FIELDS, base, request)
}

/**
 * The tiles that a request names; undefined when it names none.
 * @throws {AppError} `invalid_argument` of an invalid tile.
 */
export function tilesOf(request: DashboardFields): readonly AskedTile[] | undefined {
  const tiles = fromValue(request.tiles)
  return isList(tiles) ? readTiles(tiles) : undefined
}

export function toDashboard(stored: WholeDashboard): Dashboard {
  const filters = objectOf(stored.filters)
  return {
    id: stored.id,
    ...toFields(DASHBOARD_FIELDS, { ...stored, filters }),
    tiles: stored.tiles.map((tile) => toDashboardTile(tile, filters)),
    ...changeFields(stored),
  }
}

export function toDashboardSummary(stored: DashboardItem): DashboardSummary {
  const { id, name, description, tags } = stored
  return { id, name, description, tags: [...tags], ...changeFields(stored) }
}
