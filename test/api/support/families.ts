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

/** Beside `test/api` itself: the cluster, questions, flags, persons, and the examples of the reference. */
const FOLDERS = ['', 'cluster/', 'flags/', 'insights/', 'people/', 'reference/'] as const

/**
 * Every family of cases that has a file here, by file name, and what the contract gives.
 * @param only the name of the one family that is wanted; the files of the others are not read.
 */
export async function readFamilies(only?: string): Promise<readonly Family[]> {
  const files = FOLDERS.flatMap((folder) =>
    readdirSync(join(packageRoot, 'test', 'api', folder))
      .filter((file) => file.endsWith('.cases.ts'))
      .map((file) => `${folder}${file}`),
  )
  const wanted = files.filter((file) => only === undefined || nameOf(file) === only).sort()
  const families: Family[] = []
  for (const file of wanted) {
    const { href } = moduleUrl(`../${file}`, import.meta.url)
    const { cases }: { cases: readonly ApiCase[] } = await import(href)
    families.push({ name: nameOf(file), path: `test/api/${file}`, cases })
  }
  const generated = generatedFamily()
  return only === undefined || only === generated.name ? [...families, generated] : families
}

/** `reference-shop` of `reference/shop.cases.ts`. */
function nameOf(file: string): string {
  return file.replace(/\.cases\.ts$/, '').replace('/', '-')
}
