/**
 * The examples of the reference: requests, and what the product has answered them. They are
 * recorded by `RECORD_EXAMPLES=1` (docs/TESTING.md) and compared with a running product by
 * `test/integration/manage/api.test.ts`.
 */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Json } from '../../src/core/json.ts'
import { packageRoot } from '../../src/core/package-root.ts'

export type Example = {
  /** `GET /api/projects/{id}/`. */
  readonly endpoint: string
  readonly request: { readonly verb: string; readonly path: string; readonly body?: Json }
  readonly answer: { readonly status: number; readonly body?: Json }
}

export const examplesPath: string = join(packageRoot, 'scripts', 'api', 'examples.json')

export function readExamples(): readonly Example[] {
  return JSON.parse(readFileSync(examplesPath, 'utf8')) as Example[]
}
