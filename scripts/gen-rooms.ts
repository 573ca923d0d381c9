/**
 * Draws the rooms of the source and their imports: `docs/rooms.svg`, and the table of them in
 * `docs/ARCHITECTURE.md`. `--check` fails when the committed files are stale.
 */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { packageRoot } from '../src/core/package-root.ts'
import { roomsPicture } from './house/picture.ts'
import { readRepository } from './house/repository.ts'
import { readTree } from './house/tree.ts'

const repository = readRepository()
const stale = Object.entries(roomsPicture(readTree(repository))).filter(
  ([path, text]) => !repository.has(path) || repository.text(path) !== text,
)
if (process.argv.includes('--check')) {
  if (stale.length > 0) {
    const names = stale.map(([path]) => path).join(', ')
    process.stderr.write(`the picture of the rooms is stale, run "npm run gen": ${names}\n`)
    process.exitCode = 1
  }
} else {
  for (const [path, text] of stale) writeFileSync(join(packageRoot, path), text)
}
