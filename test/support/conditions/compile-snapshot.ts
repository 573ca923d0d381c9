/** Compiles flags all at once; the product does so in turns. */

import { compilingSnapshot, type FlagSnapshot } from '../../../src/flags/compile.ts'
import type { FlagSources } from '../../../src/flags/definition.ts'
import { workAtOnce } from '../work-at-once.ts'

export function compileSnapshot(sources: FlagSources): FlagSnapshot {
  return workAtOnce(compilingSnapshot(sources))
}
