/**
 * Draws the rooms of the source and their imports: `docs/rooms.svg`, and the table of them in
 * `docs/ARCHITECTURE.md`. `test/tidy/rooms.ts` fails when they are stale.
 */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { packageRoot } from '../src/core/package-root.ts'
import { roomsPicture } from './house/picture.ts'
import { readRepository } from './house/repository.ts'
import { readTree } from './house/tree.ts'

for (const [path, text] of Object.entries(roomsPicture(readTree(readRepository())))) {
  writeFileSync(join(packageRoot, path), text)
}
