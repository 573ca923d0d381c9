/** A table of text. The first column has names and is aligned left; the others have figures. */
export type Table = { readonly head: readonly string[]; readonly rows: readonly string[][] }

/** Lines for a terminal, indented by two. */
export function textTable({ head, rows }: Table): string[] {
  const widths = head.map((_, column) =>
    Math.max(...[head, ...rows].map((row) => row[column]?.length ?? 0)),
  )
  const line = (cells: readonly string[]) =>
    cells.map((cell, at) =>
      at === 0 ? cell.padEnd(widths[0] ?? 0) : cell.padStart(widths[at] ?? 0),
    )
  return [head, ...rows].map((cells) => `  ${line(cells).join('  ').trimEnd()}`)
}

/** A figure for people: two decimals, or none from a thousand on. */
export function figure(value: number): string {
  if (!Number.isFinite(value)) return '-'
  if (Math.abs(value) >= 1000) return Math.round(value).toLocaleString('en-US')
  return String(Math.round(value * 100) / 100)
}
