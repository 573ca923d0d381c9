/** Drawings that come when a question of their kind is shown first. */
export { LifecycleResult, StickinessResult } from './activity-result.tsx'
export { FunnelResult } from './funnel-result.tsx'
export { PathsResult } from './paths-result.tsx'
export { RetentionResult } from './retention-result.tsx'
export { TableResult } from './table-result.tsx'
