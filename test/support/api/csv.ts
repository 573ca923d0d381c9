/** Reads CSV by RFC 4180, strictly: any deviation is an error. */
export function parseCsv(text: string): string[][] {
  const rows: string[][] = []
  let at = 0
  while (at < text.length) {
    const row: string[] = []
    for (;;) {
      const { cell, end } = text[at] === '"' ? quoted(text, at) : plain(text, at)
      row.push(cell)
      if (text[end] === ',') {
        at = end + 1
        continue
      }
      if (text.slice(end, end + 2) !== '\r\n') throw new Error(`no line end at ${end}`)
      at = end + 2
      break
    }
    rows.push(row)
  }
  return rows
}

type Cell = { readonly cell: string; readonly end: number }

function plain(text: string, at: number): Cell {
  const cell = /^[^",\r\n]*/.exec(text.slice(at))?.[0] ?? ''
  return { cell, end: at + cell.length }
}

function quoted(text: string, at: number): Cell {
  let cell = ''
  for (let place = at + 1; place < text.length; place++) {
    if (text[place] !== '"') cell += text[place]
    else if (text[place + 1] === '"') cell += text[place++]
    else return { cell, end: place + 1 }
  }
  throw new Error(`a cell without an end at ${at}`)
}
