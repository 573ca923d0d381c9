/**
 * Generates documents: the calls of the interface and the cases of each, for reading offline in
 * `dist/docs`; the rooms in `docs/ARCHITECTURE.md`; and the record of the contract.
 */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { isObject } from '../src/core/json.ts'
import { packageRoot, packageVersion } from '../src/core/package-root.ts'
import { readFamilies } from '../test/api/support/families.ts'
import { CONTRACT_RECORD, contractLines } from './api/contract-lines.ts'
import { operations } from './api/model.ts'
import { openApiDocument } from './api/openapi.ts'
import { referenceText } from './api/reference.ts'
import { testsDocument } from './api/table.ts'
import { ARCHITECTURE, roomsPicture } from './house/picture.ts'
import { readRepository } from './house/repository.ts'
import { readTree } from './house/tree.ts'

const document: unknown = openApiDocument(operations(), packageVersion())
if (!isObject(document)) throw new Error('the API document is no object')
const folder = join(packageRoot, 'dist', 'docs')
mkdirSync(folder, { recursive: true })
writeFileSync(join(folder, 'CALLS.md'), referenceText(document))
writeFileSync(join(folder, 'API-TESTS.md'), testsDocument(await readFamilies()))

writeFileSync(join(packageRoot, ARCHITECTURE), roomsPicture(readTree(readRepository())))

// `test/unit/scripts/contract-lines.test.ts` compares with the record, whose lines are never removed.
const recorded = existsSync(CONTRACT_RECORD)
  ? readFileSync(CONTRACT_RECORD, 'utf8').trimEnd().split('\n')
  : []
const missing = contractLines().filter((line) => !recorded.includes(line))
if (missing.length > 0) {
  writeFileSync(CONTRACT_RECORD, `${[...recorded, ...missing].sort().join('\n')}\n`)
}
