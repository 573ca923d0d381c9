import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { packageRoot } from '../../../src/core/package-root.ts'
import { moduleUrl } from '../../support/module-url.ts'
import type { ApiCase } from './case.ts'
import { generatedFamily } from './generated.ts'

export type Family = {
  /** `feature-flags` of `feature-flags.cases.ts`. */
  readonly name: string
  /** From the root of the project. */
  readonly path: string
  readonly cases: readonly ApiCase[]
}

/**
 * Every family of cases that has a file here, by file name, and what the contract gives.
 * @param only the name of the one family that is wanted; the files of the others are not read.
 */
export async function readFamilies(only?: string): Promise<readonly Family[]> {
  const names = readdirSync(join(packageRoot, 'test', 'api'))
    .filter((file) => file.endsWith('.cases.ts'))
    .map((file) => file.replace(/\.cases\.ts$/, ''))
    .filter((name) => only === undefined || name === only)
    .sort()
  const families: Family[] = []
  for (const name of names) {
    const file = `${name}.cases.ts`
    const { href } = moduleUrl(`../${file}`, import.meta.url)
    const { cases }: { cases: readonly ApiCase[] } = await import(href)
    families.push({ name, path: `test/api/${file}`, cases })
  }
  const generated = generatedFamily()
  return only === undefined || only === generated.name ? [...families, generated] : families
}
