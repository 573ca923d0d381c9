/** Generates two documents for reading offline: the calls of the interface, and the cases of each. */
import { mkdirSync, writeFileSync } from 'node:fs'
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
const folder = join(packageRoot, 'dist', 'docs')
mkdirSync(folder, { recursive: true })
writeFileSync(join(folder, 'CALLS.md'), referenceText(document))
writeFileSync(join(folder, 'API-TESTS.md'), testsDocument(await readFamilies()))
