/** Tiles of a dashboard: in the order of the page, with their widths in the layouts. */
import type { DashboardTile, Json, JsonObject } from '../../client/index.ts'
import { isRecord } from '../data/json.ts'

/** Members of a tile that are sent to the server. */
export type Tile = Pick<DashboardTile, 'insight' | 'text' | 'layouts'>

const COLUMNS = 12
const WIDTH = 6
const HEIGHT = 5

function layoutOf({ layouts }: Tile): JsonObject {
  const sm = isRecord(layouts) ? layouts['sm'] : undefined
  return isRecord(sm) ? sm : {}
}

function whole(value: Json | undefined, fallback: number): number {
  return typeof value === 'number' && value >= 1 ? Math.round(value) : fallback
}

/** In columns of the grid. */
export function widthOf(tile: Tile): number {
  const fallback = tile.insight === null ? COLUMNS : WIDTH
  return Math.min(COLUMNS, whole(layoutOf(tile)['w'], fallback))
}

export function insightTile(shortId: string): Tile {
  return { insight: shortId, text: null, layouts: {} }
}

export function textTile(body: string): Tile {
  return { insight: null, text: { body }, layouts: {} }
}

export function withWidth(tile: Tile, w: number): Tile {
  const layouts = isRecord(tile.layouts) ? tile.layouts : {}
  return { ...tile, layouts: { ...layouts, sm: { ...layoutOf(tile), w } } }
}

/** Tiles to send, each with the position from its order and width, which other clients read. */
export function sentTiles(tiles: readonly Tile[]): readonly JsonObject[] {
  let [x, y, rowHeight] = [0, 0, 0]
  return tiles.map((tile) => {
    const w = widthOf(tile)
    const h = whole(layoutOf(tile)['h'], tile.insight === null ? 1 : HEIGHT)
    if (x + w > COLUMNS) [x, y, rowHeight] = [0, y + rowHeight, 0]
    const place = { ...layoutOf(tile), x, y, w, h }
    x += w
    rowHeight = Math.max(rowHeight, h)
    const layouts = { ...(isRecord(tile.layouts) ? tile.layouts : {}), sm: place }
    return tile.text === null
      ? { insight: tile.insight, layouts }
      : { text: { body: tile.text.body }, layouts }
  })
}

export function moved<Item>(items: readonly Item[], from: number, to: number): readonly Item[] {
  const rest = items.filter((_, at) => at !== from)
  return [...rest.slice(0, to), ...items.slice(from, from + 1), ...rest.slice(to)]
}
