/**
 * Generates `docs/API.md`: every call of the management interface, what it asks of its caller, and
 * the cases that show it. `--check` fails when the committed file is stale.
 */
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { packageRoot } from '../src/core/package-root.ts'
import { readFamilies } from '../test/api/support/families.ts'
import { apiDocument } from './api/table.ts'

const path = join(packageRoot, 'docs', 'API.md')
const text = apiDocument(await readFamilies())
const isStale = current() !== text
if (process.argv.includes('--check')) {
  if (isStale) {
    process.stderr.write('docs/API.md is stale, run "npm run gen"\n')
    process.exitCode = 1
  }
} else if (isStale) {
  writeFileSync(path, text)
}

function current(): string | undefined {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return undefined // Not made yet, which is a difference.
  }
}
