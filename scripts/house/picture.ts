/** Makes the files that show the rooms. */
import { roomGraph, roomImports, roomLines } from './room-imports.ts'
import { roomsSvg } from './rooms-svg.ts'
import { shownLines, withRooms } from './rooms-text.ts'
import type { Tree } from './tree.ts'

const ARCHITECTURE = 'docs/ARCHITECTURE.md'

/** The texts of the files that show the rooms, by path. */
export function roomsPicture(tree: Tree): Readonly<Record<string, string>> {
  const document = tree.repository.text(ARCHITECTURE)
  const lines = shownLines(document, roomLines(tree))
  return {
    [ARCHITECTURE]: withRooms(document, lines),
    'docs/rooms.svg': roomsSvg(roomGraph(roomImports(tree)), lines),
  }
}
