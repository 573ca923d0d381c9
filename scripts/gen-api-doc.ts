/**
 * Generates `docs/API.md`, the reference of the interface, and `docs/API-TESTS.md`, the cases that
 * show each call. `--check` fails when a committed file is stale.
 */
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { isObject } from '../src/core/json.ts'
import { packageRoot, packageVersion } from '../src/core/package-root.ts'
import { readFamilies } from '../test/api/support/families.ts'
import { operations } from './api/model.ts'
import { openApiDocument } from './api/openapi.ts'
import { referenceText } from './api/reference.ts'
import { testsDocument } from './api/table.ts'

const document: unknown = openApiDocument(operations(), packageVersion())
if (!isObject(document)) throw new Error('the API document is no object')
const made: Readonly<Record<string, string>> = {
  'API.md': referenceText(document),
  'API-TESTS.md': testsDocument(await readFamilies()),
}

for (const [name, text] of Object.entries(made)) {
  const path = join(packageRoot, 'docs', name)
  if (current(path) === text) continue
  if (process.argv.includes('--check')) {
    process.stderr.write(`docs/${name} is stale, run "npm run gen"\n`)
    process.exitCode = 1
  } else {
    writeFileSync(path, text)
  }
}

function current(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return undefined // Not made yet, which is a difference.
  }
}
