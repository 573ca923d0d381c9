import type { FeatureFlag } from '../../../client/index.ts'

/** What somebody has changed and not saved yet. */
export type Draft = Pick<FeatureFlag, 'name' | 'filters'>
