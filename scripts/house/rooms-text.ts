/** Writes the table of the rooms in `docs/ARCHITECTURE.md`. */
import { ROOMS } from './rooms.ts'

const BEGIN = '<!-- rooms: made by npm run gen -->'
const END = '<!-- end of rooms -->'

/**
 * A shown size with a smaller error than this share is kept: the table shows orders of magnitude.
 */
const DRIFT_MAX = 0.25

/**
 * Puts the table of the rooms between its marks.
 * @throws when a mark is missing.
 */
export function withRooms(document: string, linesOf: ReadonlyMap<string, number>): string {
  const [before, after] = around(document)
  const rows = ROOMS.toReversed().map(({ name, path, purpose, uses }) => {
    const lines = (linesOf.get(name) ?? 0).toLocaleString('en')
    return `| \`${path}/\` | ${purpose} | ${uses.join(', ')} | ${lines} |`
  })
  const table = [
    '| Room | What it is for | May use | Lines |',
    '| --- | --- | --- | ---: |',
    ...rows,
  ]
  return `${before}${BEGIN}\n${table.join('\n')}\n${END}${after}`
}

/**
 * The sizes to show: the document's own while they are about right, so that a small change changes
 * no picture; otherwise the real ones with two figures.
 */
export function shownLines(
  document: string,
  linesOf: ReadonlyMap<string, number>,
): ReadonlyMap<string, number> {
  const said = new Map<string, number>()
  for (const [, path, lines] of document.matchAll(/^\| `([\w/]+)\/` \|.*\| ([\d,]+) \|$/gm)) {
    const room = ROOMS.find((room) => room.path === path)
    if (room !== undefined) said.set(room.name, Number(lines?.replaceAll(',', '')))
  }
  return new Map(
    [...linesOf].map(([name, lines]) => {
      const kept = said.get(name)
      const isRight = kept !== undefined && Math.abs(kept - lines) <= DRIFT_MAX * lines
      return [name, isRight ? kept : Number(lines.toPrecision(2))]
    }),
  )
}

function around(document: string): readonly [string, string] {
  const begin = document.indexOf(BEGIN)
  const end = document.indexOf(END)
  if (begin === -1 || end < begin) throw new Error(`no "${BEGIN}" before "${END}"`)
  return [document.slice(0, begin), document.slice(end + END.length)]
}
