/**
 * Generates `gateway/client` (types and calls of the fetch client) and its `openapi.json` from the
 * annotations of the contract. `--check` fails when the committed files are stale.
 */
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { packageRoot, packageVersion } from '../src/core/package-root.ts'
import { clientCalls, clientTypes } from './api/client.ts'
import { operations } from './api/model.ts'
import { openApiDocument } from './api/openapi.ts'

const all = operations()
const made: Readonly<Record<string, string>> = {
  'types.ts': clientTypes(all),
  'calls.ts': clientCalls(all),
  'openapi.json': `${JSON.stringify(openApiDocument(all, packageVersion()), null, 2)}\n`,
}

const stale = Object.entries(made).filter(([name, text]) => current(name) !== text)
if (process.argv.includes('--check')) {
  if (stale.length > 0) {
    const names = stale.map(([name]) => name).join(', ')
    process.stderr.write(`gateway/client is stale, run "npm run gen": ${names}\n`)
    process.exitCode = 1
  }
} else {
  for (const [name, text] of stale) writeFileSync(pathOf(name), text)
}

function pathOf(name: string): string {
  return join(packageRoot, 'gateway', 'client', name)
}

function current(name: string): string | undefined {
  try {
    return readFileSync(pathOf(name), 'utf8')
  } catch {
    return undefined // Not made yet, which is a difference.
  }
}
