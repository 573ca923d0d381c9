/** Tiles of dashboards: reads those of a request, and renders stored ones. */
import type { DashboardTile } from '../../../proto/gen/sluice/v1/DashboardTile.ts'
import { invalid, unknownObject } from '../../access/errors.ts'
import { cleanText } from '../../core/clean-text.ts'
import type { ProjectId } from '../../core/ids.ts'
import { isObject, type Json, type JsonObject, own } from '../../core/json.ts'
import type { Db } from '../../postgres/db.ts'
import { overridden } from '../../query/insights/override.ts'
import { findInsightIds, type NewTile, type StoredTile } from '../../store/saved/dashboard-store.ts'
import { toWireValue } from '../wire-value.ts'
import { requireBytes } from './saved-rules.ts'

/** Bytes of the JSON text of a tile's layouts. */
const TILE_LAYOUTS_BYTES_MAX = 4_096
/** Characters of a tile's text. */
const TILE_TEXT_CHARS_MAX = 4_000

/** A tile of a request. */
export type AskedTile = {
  readonly content:
    | { readonly kind: 'insight'; readonly shortId: string }
    | { readonly kind: 'text'; readonly body: string }
  readonly layouts: JsonObject
}

/** Members of a tile; includes those of answers, so that their tiles can be sent back. */
const MEMBERS = ['insight', 'text', 'layouts', 'name', 'query']

/** @throws {AppError} `invalid_argument` of the first member that is wrong, as `tiles__0__insight`. */
export function readTiles(tiles: readonly Json[]): readonly AskedTile[] {
  return tiles.map((tile, index) => readTile(tile, `tiles__${index}`))
}

function readTile(tile: Json, attr: string): AskedTile {
  if (!isObject(tile)) throw invalid('A tile is an object.', attr)
  requireMembers(tile, MEMBERS, attr)
  const insight = own(tile, 'insight') ?? null
  const text = own(tile, 'text') ?? null
  if ((insight === null) === (text === null)) {
    throw invalid('A tile has either an insight or a text.', attr)
  }
  const layouts = own(tile, 'layouts') ?? {}
  if (!isObject(layouts)) throw invalid('Must be an object.', `${attr}__layouts`)
  requireBytes(layouts, TILE_LAYOUTS_BYTES_MAX, `${attr}__layouts`)
  if (text !== null) return { content: readText(text, `${attr}__text`), layouts }
  if (typeof insight !== 'string') throw invalid('Not a valid string.', `${attr}__insight`)
  return { content: { kind: 'insight', shortId: cleanText(insight) }, layouts }
}

function readText(text: Json, attr: string): AskedTile['content'] {
  if (!isObject(text)) throw invalid('Must be an object.', attr)
  requireMembers(text, ['body'], attr)
  const body = own(text, 'body')
  if (typeof body !== 'string') throw invalid('Not a valid string.', `${attr}__body`)
  if (body.length > TILE_TEXT_CHARS_MAX) {
    const detail = `Ensure this field has no more than ${TILE_TEXT_CHARS_MAX} characters.`
    throw invalid(detail, `${attr}__body`, 'max_length')
  }
  return { kind: 'text', body: cleanText(body) }
}

function requireMembers(object: JsonObject, known: readonly string[], attr: string): void {
  const unknown = Object.keys(object).find((name) => !known.includes(name))
  if (unknown !== undefined) throw invalid('Unknown member.', `${attr}__${unknown}`)
}

/** @throws {AppError} `invalid_argument` of an insight that the project has not, or hides. */
export async function resolveTiles(
  tx: Db,
  project: ProjectId,
  tiles: readonly AskedTile[],
): Promise<readonly NewTile[]> {
  const named = tiles.flatMap(({ content }) => (content.kind === 'text' ? [] : content.shortId))
  const ids = await findInsightIds(tx, project, named)
  return tiles.map(({ content, layouts }, index) => {
    if (content.kind === 'text') return { insightId: null, body: content.body, layouts }
    const insightId = ids.get(content.shortId)
    if (insightId === undefined) throw unknownObject(content.shortId, `tiles__${index}__insight`)
    return { insightId, body: null, layouts }
  })
}

/** @param filters those of the dashboard. */
export function toDashboardTile(stored: StoredTile, filters: JsonObject): DashboardTile {
  const { shortId, name, body, layouts, query } = stored
  return {
    ...(shortId === null ? {} : { insight: shortId }),
    ...(body === null ? {} : { text: { body } }),
    layouts: toWireValue(layouts),
    ...(name === null ? {} : { name }),
    ...(shortId === null ? {} : { query: toWireValue(overridden(query, filters)) }),
  }
}
