/** Rules that make sessions of events: see ADR 143. */

const SECOND_US = 1_000_000
const MINUTE_US = 60 * SECOND_US

/** Silence of an actor after which an event without a session id begins a session. */
export const SESSION_GAP_US = 30 * MINUTE_US
/**
 * Longest session, and the silence after which a session id names another one. A question reads so
 * much before and after its range.
 */
export const SESSION_LENGTH_US = 24 * 60 * MINUTE_US
/** Sessions with one page view that are shorter than this are bounces. */
export const BOUNCE_US = 10 * SECOND_US
/** Characters of `$session_id` by which sessions are told apart; the rest of a longer one is cut. */
export const SESSION_ID_CHARS = 200

/** Libraries of servers: an event of theirs without a session id has no session. */
export const SERVER_LIBRARIES: readonly string[] = [
  'posthog-node',
  'posthog-node-edge',
  'posthog-edge',
  'posthog-python',
  'posthog-python-otel',
  'posthog-go',
  'posthog-php',
  'posthog-ruby',
  'posthog-java',
  'posthog-server',
  'posthog-dotnet',
  'posthog-csharp',
  'posthog-elixir',
  'posthog-rs',
  'posthog-rust',
  'posthog-haskell',
  'posthog-clojure',
  'posthog-cloudflare',
  'posthog-webhook',
  'posthog-segment',
  'customer.io',
  'zapier',
]

/** Views: pages of a site, and screens of an app. */
export const PAGE_EVENT = '$pageview'
export const SCREEN_EVENT = '$screen'

/** Events that nobody does: a session of these and one view may be a bounce. */
export const PASSIVE_EVENTS: readonly string[] = [
  PAGE_EVENT,
  SCREEN_EVENT,
  '$pageleave',
  '$web_vitals',
  '$performance_event',
  '$feature_flag_called',
  '$feature_enrollment_update',
  '$set',
  '$unset',
  '$identify',
  '$create_alias',
  '$merge_dangerously',
  '$groupidentify',
  '$opt_in',
  '$exception',
  '$snapshot',
  '$$heatmap',
  '$$client_ingestion_warning',
  'survey shown',
]
