/** Bodies of the decide and flags routes: chooses the shape of an answer and renders it. */
import { randomUUID } from 'node:crypto'
import { RECORDING_FIELDS, type Recording } from './session-recording.ts'

/** Form of the flag members that the worker renders: decide's versions, and OFREP's. */
export type MembersShape = 'v1' | 'v2' | 'v3' | 'v4' | 'ofrep'

export type DecideShape = {
  readonly members: MembersShape
  /** Whether the config fields are part of the answer. */
  readonly config: boolean
}

export type DecideRoute = 'decide' | 'flags'

/**
 * Chooses the shape of an answer from the route and the query parameters `v` and `config`. A
 * version that is not an integer counts as 2: released clients send one.
 */
export function decideShape(
  route: DecideRoute,
  v: string | undefined,
  config: string | undefined,
): DecideShape {
  if (route === 'decide') return { members: DECIDE_MEMBERS[versionOf(v) ?? 1], config: true }
  const version = versionOf(v)
  // Old callers of this route expect version 2 and do not name it.
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

/** Clamps integers to 1 to 4; `undefined` when the parameter is missing. */
function versionOf(v: string | undefined): Version | undefined {
  if (v === undefined) return undefined
  if (!/^[+-]?\d+$/.test(v)) return 2
  const version = Number(v)
  if (version <= 1) return 1
  if (version === 2 || version === 3) return version
  return 4
}

/** Settings of a project that clients read from the config fields. */
export type ConfigSettings = {
  readonly capturePerformance: boolean
  readonly recording: Recording
}

const DEFAULT_CONFIG: ConfigSettings = { capturePerformance: false, recording: 'off' }

/**
 * Config fields of an answer. The specification names `config`, `editorParams`, `isAuthenticated`
 * and `supportedCompression`; `toolbarParams` is the newer name of `editorParams`. Two fields of
 * newer servers are absent on purpose: without `elementsChainAsString` clients send elements as
 * lists, without `defaultIdentifiedOnly` every event makes a person.
 */
function configFields({ capturePerformance, recording }: ConfigSettings): object {
  return {
    config: { enable_collect_everything: true },
    editorParams: {},
    toolbarParams: {},
    toolbarVersion: 'toolbar',
    isAuthenticated: false,
    supportedCompression: ['gzip', 'lz64'],
    sessionRecording: RECORDING_FIELDS[recording],
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

/** By whether performance is captured, then by what is recorded. */
const CONFIG_TEXTS = new Map(
  [true, false].map((capturePerformance) => [
    capturePerformance,
    {
      off: configText({ capturePerformance, recording: 'off' }),
      on: configText({ capturePerformance, recording: 'on' }),
      with_console: configText({ capturePerformance, recording: 'with_console' }),
    } satisfies Record<Recording, string>,
  ]),
)

function configText(settings: ConfigSettings): string {
  return JSON.stringify(configFields(settings)).slice(1, -1)
}

/**
 * Renders the body of an answer. The request id and the time are added here: each answer has its
 * own, while `members` may come from a cache.
 * @param members JSON text of the flag members without braces, rendered for `shape.members`.
 * @param now epoch milliseconds.
 */
export function renderDecideAnswer(
  shape: DecideShape,
  members: string,
  now: () => number,
  settings: ConfigSettings = DEFAULT_CONFIG,
  requestId: () => string = randomUUID,
): string {
  const { capturePerformance, recording } = settings
  const config = shape.config ? `${CONFIG_TEXTS.get(capturePerformance)?.[recording]},` : ''
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

/** Flag members of a request that disables flags; needs no worker. */
export function noMembers(shape: DecideShape): string {
  return NO_MEMBERS[shape.members]
}

/**
 * Compression names in remote config. Clients call gzip `gzip-js` there; without it they send plain
 * JSON, which is larger and needs a CORS preflight (ADR 21).
 */
const REMOTE_COMPRESSION = { supportedCompression: ['gzip', 'gzip-js', 'lz64'] }

/** Body of `GET /array/<token>/config`. */
export function renderRemoteConfig(
  token: string,
  settings: ConfigSettings = DEFAULT_CONFIG,
): string {
  // Always true: with false, clients would never see the project's first flag.
  const fields = { ...configFields(settings), ...REMOTE_COMPRESSION }
  return JSON.stringify({ token, ...fields, hasFeatureFlags: true })
}

/** Body of `GET /array/<token>/config.js`: the config as a script. */
export function renderRemoteConfigScript(token: string, remoteConfig: string): string {
  const name = scriptText(JSON.stringify(token))
  return (
    '(function(w){w._POSTHOG_REMOTE_CONFIG=w._POSTHOG_REMOTE_CONFIG||{};' +
    `w._POSTHOG_REMOTE_CONFIG[${name}]={config:${scriptText(remoteConfig)},siteApps:[]}})(window);`
  )
}

/** JSON text that is safe inside a script element. */
function scriptText(json: string): string {
  return json
    .replaceAll('<', '\\u003c')
    .replaceAll('\u2028', '\\u2028')
    .replaceAll('\u2029', '\\u2029')
}
