import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Test } from 'tap'
import { type Client, FEATURES, type Feature } from '../catalogue.ts'
import { clientsCache } from './installed.ts'

/** Findings of a run of one version; `scripts/gen-clients-doc.ts` reads them. */
export type Outcome = {
  readonly client: string
  readonly version: string
  /** Features that this version has, and what came of each. */
  readonly features: Partial<Record<Feature, Mark>>
}

/** `fault`: the check shows a fault of the client's own, which docs/CLIENTS.md names. */
export type Mark = 'passed' | 'failed' | 'fault'

export const OUTCOMES = join(clientsCache, 'outcomes')

/** One check of one feature. Reads back what the client did, and compares what it was told. */
export type Check = (t: Test) => Promise<void>
/** A feature without a check is one that the version has not got. */
export type Checks = Partial<Record<Feature, Check>>

/** Runs a version's checks as one subtest each, and keeps the outcome. */
export async function checkFeatures(
  t: Test,
  client: Client,
  version: string,
  checks: Checks,
  faults: readonly Feature[] = [],
): Promise<void> {
  const features: Partial<Record<Feature, Mark>> = {}
  const path = join(OUTCOMES, `${client.name}@${version}.json`.replaceAll('/', '+'))
  rmSync(path, { force: true })
  for (const feature of FEATURES) {
    const check = checks[feature]
    if (check === undefined) continue
    await t.test(`${client.name} ${version}: ${feature}`, async (t) => {
      features[feature] = 'failed'
      await check(t)
      if (t.passing()) features[feature] = faults.includes(feature) ? 'fault' : 'passed'
    })
  }
  const outcome: Outcome = { client: client.name, version, features }
  mkdirSync(OUTCOMES, { recursive: true })
  writeFileSync(path, JSON.stringify(outcome))
}
