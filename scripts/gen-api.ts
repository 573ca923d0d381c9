/**
 * Generates `gateway/client` (types and calls of the fetch client) and its `openapi.json` from the
 * annotations of the contract.
 */
import { writeFileSync } from 'node:fs'
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
for (const [name, text] of Object.entries(made)) {
  writeFileSync(join(packageRoot, 'gateway', 'client', name), text)
}
