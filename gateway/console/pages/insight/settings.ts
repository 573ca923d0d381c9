/** Settings that come when a question of their kind is built first. */
export { FunnelSettings } from './funnel-settings.tsx'
export { PathsSettings, RetentionSettings, TableSettings } from './kind-settings.tsx'
