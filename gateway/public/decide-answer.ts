/** Bodies of the decide and flags routes: which shape a request gets, and the text of it. */
import { randomUUID } from 'node:crypto'

/** Form of the flag members, which the worker renders; named after decide's versions, and OFREP. */
export type MembersShape = 'v1' | 'v2' | 'v3' | 'v4' | 'ofrep'

export type DecideShape = {
  readonly members: MembersShape
  /** Whether the config fields are part of the answer. */
  readonly config: boolean
}

export type DecideRoute = 'decide' | 'flags'

/**
 * The shape that a request gets, by its route and the query parameters `v` and `config`. A version
 * that is no integer counts as 2: a client once sent such a one, and must not be refused.
 */
export function decideShape(
  route: DecideRoute,
  v: string | undefined,
  config: string | undefined,
): DecideShape {
  if (route === 'decide') return { members: DECIDE_MEMBERS[versionOf(v) ?? 1], config: true }
  const version = versionOf(v)
  // The oldest callers of this route asked for decide's second version without saying so.
  if (version === undefined && config === undefined) return { members: 'v2', config: true }
  return { members: (version ?? 1) === 1 ? 'v3' : 'v4', config: config === 'true' }
}

type Version = 1 | 2 | 3 | 4
const DECIDE_MEMBERS: Readonly<Record<Version, MembersShape>> = {
  1: 'v1',
  2: 'v2',
  3: 'v3',
  4: 'v4',
}

/** Integers are brought into 1 to 4; `undefined` when the parameter is missing. */
function versionOf(v: string | undefined): Version | undefined {
  if (v === undefined) return undefined
  if (!/^[+-]?\d+$/.test(v)) return 2
  const version = Number(v)
  if (version <= 1) return 1
  if (version === 2 || version === 3) return version
  return 4
}

/** Settings of a project that clients read from the config fields. */
export type ConfigSettings = { readonly capturePerformance: boolean }

export const DEFAULT_CONFIG: ConfigSettings = { capturePerformance: false }

/**
 * What clients are told besides flags. `config`, `editorParams`, `isAuthenticated` and
 * `supportedCompression` are the specification's; `toolbarParams` is the newer name of
 * `editorParams`. Left out on purpose: `elementsChainAsString`, so that elements arrive as lists,
 * and `defaultIdentifiedOnly`, so that every event makes a person.
 */
export function configFields({ capturePerformance }: ConfigSettings): object {
  return {
    config: { enable_collect_everything: true },
    editorParams: {},
    toolbarParams: {},
    toolbarVersion: 'toolbar',
    isAuthenticated: false,
    supportedCompression: ['gzip', 'lz64'],
    sessionRecording: false,
    siteApps: [],
    capturePerformance,
    autocapture_opt_out: false,
    autocaptureExceptions: false,
    surveys: false,
    heatmaps: false,
    captureDeadClicks: false,
    analytics: { endpoint: '/i/v0/e/' },
    errorTracking: { autocaptureExceptions: false, suppressionRules: [] },
  }
}

const CONFIG_TEXTS = new Map(
  [true, false].map((capturePerformance) => [
    capturePerformance,
    JSON.stringify(configFields({ capturePerformance })).slice(1, -1),
  ]),
)

/**
 * The body of an answer. `members` is the JSON text of the flag members without braces, as the
 * worker rendered it for `shape.members`, and may come from a cache: what clients echo of an answer,
 * its id and its time, is added here, so that no two answers share it.
 * @param now epoch milliseconds.
 */
export function renderDecideAnswer(
  shape: DecideShape,
  members: string,
  now: () => number,
  settings: ConfigSettings = DEFAULT_CONFIG,
  requestId: () => string = randomUUID,
): string {
  const config = shape.config ? `${CONFIG_TEXTS.get(settings.capturePerformance)},` : ''
  const own = shape.members === 'v4' ? ownMembers(requestId(), now()) : ''
  return `{${config}${members}${own}}`
}

function ownMembers(requestId: string, nowMs: number): string {
  return `,"requestId":"${requestId}","evaluatedAt":${Math.floor(nowMs)}`
}

const NO_MEMBERS: Readonly<Record<MembersShape, string>> = {
  v1: '"featureFlags":[]',
  v2: '"featureFlags":{}',
  v3: '"featureFlags":{},"featureFlagPayloads":{},"errorsWhileComputingFlags":false',
  v4: '"flags":{},"errorsWhileComputingFlags":false',
  ofrep: '"flags":[]',
}

/** Flag members of a request that disables flags: no worker is asked. */
export function noMembers(shape: DecideShape): string {
  return NO_MEMBERS[shape.members]
}

/**
 * Of remote config alone, which the specification leaves to us: the clients that ask for it name
 * gzip so, and otherwise send plain JSON, which is larger and costs each origin a preflight.
 */
const REMOTE_COMPRESSION = { supportedCompression: ['gzip', 'gzip-js', 'lz64'] }

/** Body of `GET /array/<token>/config`. */
export function renderRemoteConfig(
  token: string,
  settings: ConfigSettings = DEFAULT_CONFIG,
): string {
  // A client told false would not ask for flags, and the project may get its first one any moment.
  const fields = { ...configFields(settings), ...REMOTE_COMPRESSION }
  return JSON.stringify({ token, ...fields, hasFeatureFlags: true })
}

/** Body of `GET /array/<token>/config.js`: the same as a script. */
export function renderRemoteConfigScript(token: string, remoteConfig: string): string {
  const name = scriptText(JSON.stringify(token))
  return (
    '(function(w){w._POSTHOG_REMOTE_CONFIG=w._POSTHOG_REMOTE_CONFIG||{};' +
    `w._POSTHOG_REMOTE_CONFIG[${name}]={config:${scriptText(remoteConfig)},siteApps:[]}})(window);`
  )
}

/** JSON text that may stand inside a script element. */
function scriptText(json: string): string {
  return json
    .replaceAll('<', '\\u003c')
    .replaceAll('\u2028', '\\u2028')
    .replaceAll('\u2029', '\\u2029')
}
