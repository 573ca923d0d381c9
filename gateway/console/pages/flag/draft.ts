import type { FeatureFlag } from '../../../client/index.ts'

/** Unsaved changes to a flag. */
export type Draft = Pick<FeatureFlag, 'name' | 'filters' | 'tags'>
