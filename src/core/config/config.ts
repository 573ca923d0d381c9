/**
 * The one reader of the environment. Every setting has its help text and default in
 * `settings.ts`; all problems are reported at once; the result is frozen.
 */
import { networkInterfaces } from 'node:os'
import { resolve } from 'node:path'
import { PLUGIN_PROCESS_MS_MAX, SANDBOX_MEMORY_BYTES_MAX } from '../limits/limits-plugins.ts'
import type { LogLevel } from '../log.ts'
import type { ProjectLimitSettings, Rate } from '../project-limits.ts'
import { err, ok, type Result } from '../result.ts'
import { type HostPort, parsers } from './config-parsers.ts'
import type { Role, SettingKey } from './setting-keys.ts'
import { SETTINGS } from './settings.ts'
import { type SecuritySettings, securityOf, securityProblems } from './tls-settings.ts'

/** Bounds of the setting `BODY_BYTES_MAX`. */
const BODY_BYTES_SETTING_MIN = 1_048_576
const BODY_BYTES_SETTING_MAX = 67_108_864

export type { HostPort } from './config-parsers.ts'
export type { Role, SettingKey } from './setting-keys.ts'
export { SETTINGS } from './settings.ts'

export type Config = {
  readonly role: Role
  readonly http: HostPort
  readonly grpc: HostPort
  /**
   * Host and port that others dial; the port is 0 when GRPC_PORT is 0, and is then the listener's.
   */
  readonly advertise: HostPort
  readonly security: SecuritySettings
  readonly adminPort: number
  readonly databaseUrl: string | undefined
  /** URL of the ClickHouse database that holds the events. */
  readonly eventsUrl: string | undefined
  readonly natsUrl: string | undefined
  readonly redisUrl: string | undefined
  readonly clusterName: string
  /** Absolute. */
  readonly dataDir: string
  readonly workerWeight: number
  readonly spillBytesMax: number
  readonly natsReplicas: number
  /** Addresses and CIDR ranges, checked. */
  readonly trustedProxies: readonly string[]
  readonly httpServer: 'uws' | 'node'
  /** Largest request body in bytes: one byte fewer than the setting. */
  readonly bodyBytesMax: number
  readonly bootstrap: {
    readonly email: string | undefined
    readonly projectApiKey: string | undefined
    readonly personalApiKey: string | undefined
  }
  readonly operatorToken: string | undefined
  /** Text for `parseKeys`. */
  readonly secretsKey: string | undefined
  /** Without a final slash. */
  readonly publicUrl: string | undefined
  readonly mail: { readonly smtpUrl: string | undefined; readonly from: string }
  /** Whether personal keys are taken from query strings. */
  readonly queryKeys: boolean
  /** Origins as browsers write them, or `*`. */
  readonly apiCorsOrigins: readonly string[]
  /** Assistants may change flags over `/mcp`. */
  readonly mcpWrites: boolean
  readonly projectLimits: ProjectLimitSettings
  readonly rateLimits: boolean
  readonly invitesPerDay: number
  /** Milliseconds of each one that queries of an organization may run on average. */
  readonly queryShare: number
  /** Undefined when the operator has not set it. */
  readonly backupDays: number | undefined
  readonly retentionWaitHours: number
  readonly pluginUrls: boolean
  readonly plugins: {
    /** Whether plugins may fetch from public addresses. */
    readonly fetch: boolean
    /** Addresses and CIDR ranges, checked, of which plugins may fetch though they are not public. */
    readonly fetchPrivate: readonly string[]
    /** Time that one plugin has for one event, in milliseconds. */
    readonly processMs: number
    /** Memory of all plugins together, in bytes. */
    readonly memoryBytesMax: number
    /** CPU budget of each organization. */
    readonly cpu: { readonly share: number; readonly burstMs: number }
    /** Absolute path of a database that finds places by IP address. */
    readonly geoipFile: string | undefined
  }
  readonly logLevel: LogLevel
  readonly shutdownDeadlineMs: number
  /** Text for `failpointsOf`. */
  readonly failpoints: string
}

export type Environment = Readonly<Record<string, string | undefined>>
/** The environment of this process, for readers of settings only. */
export function environment(): Environment {
  return process.env
}

/** Whether text may have colours: `NO_COLOR` (https://no-color.org) and a dumb terminal forbid it. */
export function allowsColors(env: Environment = environment()): boolean {
  return (env['NO_COLOR'] ?? '') === '' && env['TERM'] !== 'dumb'
}

/** Defaults that depend on the machine. */
export type Machine = { readonly cwd: string; readonly address: string }

/**
 * Reads the settings of `role`. An empty or blank value counts as unset. Never throws.
 * @returns the settings, or one sentence per problem, secrets left out.
 */
export function readConfig(
  role: Role,
  env: Environment = environment(),
  machine: Machine = thisMachine(),
): Result<Config, readonly string[]> {
  const problems: string[] = []
  const text = (key: SettingKey): string => env[key]?.trim() ?? ''
  const read: Read = (key, parse, fallback) => {
    const value = text(key) === '' ? settingDefault(key, role) : text(key)
    if (value === '' || value.startsWith('(')) return fallback
    const parsed = parse(value)
    if (parsed.ok) return parsed.value
    problems.push(`${key} ${parsed.error}`)
    return fallback
  }
  const host = read('GRPC_HOST', parsers.host, '')
  const port = read('GRPC_PORT', parsers.port, 0)
  const grpc = { host, port }
  const config: Config = {
    role,
    http: { host: read('HOST', parsers.host, ''), port: read('PORT', parsers.port, 0) },
    grpc,
    advertise: read('ADVERTISE_ADDRESS', parsers.address, advertised(grpc, machine)),
    security: securityOf(text, { cwd: machine.cwd, grpcHost: grpc.host }),
    adminPort: read('ADMIN_PORT', parsers.port, 0),
    databaseUrl: read('DATABASE_URL', parsers.url('postgres', 'postgresql'), undefined),
    eventsUrl: read('EVENTS_URL', parsers.columnsUrl, undefined),
    natsUrl: read('NATS_URL', parsers.urls('nats', 'tls'), undefined),
    redisUrl: read('REDIS_URL', parsers.url('redis', 'rediss'), undefined),
    clusterName: read('CLUSTER_NAME', parsers.name, ''),
    dataDir: resolve(machine.cwd, text('DATA_DIR') || settingDefault('DATA_DIR', role)),
    workerWeight: read('WORKER_WEIGHT', parsers.integer(1, 1_000), 0),
    spillBytesMax: read('SPILL_BYTES_MAX', parsers.integer(1_048_576, 1_000_000_000_000_000), 0),
    natsReplicas: Number(read('NATS_REPLICAS', parsers.oneOf('1', '3', '5'), '1')),
    trustedProxies: read('TRUSTED_PROXIES', parsers.ranges, []),
    httpServer: read('HTTP_SERVER', parsers.oneOf('uws', 'node'), 'uws'),
    bodyBytesMax: read('BODY_BYTES_MAX', bodyBytes, 0) - 1,
    bootstrap: bootstrapOf(read),
    secretsKey: read('SECRETS_KEY', parsers.keys, undefined),
    operatorToken: read('OPERATOR_TOKEN', parsers.token(16, 256), undefined),
    publicUrl: read('PUBLIC_URL', parsers.url('http', 'https'), undefined)?.replace(/\/+$/, ''),
    mail: mailOf(read),
    queryKeys: read('PERSONAL_KEYS_IN_QUERY', parsers.oneOf('on', 'off'), 'on') === 'on',
    apiCorsOrigins: read('API_CORS_ORIGINS', parsers.origins, []),
    mcpWrites: read('MCP_WRITES', parsers.oneOf('on', 'off'), 'off') === 'on',
    projectLimits: projectLimits(read),
    rateLimits: read('RATE_LIMITS', parsers.oneOf('on', 'off'), 'off') === 'on',
    invitesPerDay: read('INVITES_PER_DAY', parsers.integer(1, 1_000_000), 0),
    queryShare: read('QUERY_TIME_PERCENT', parsers.integer(1, 200), 0) / 100,
    backupDays: read('BACKUP_DAYS', parsers.integer(1, 36_525), undefined),
    retentionWaitHours: read('RETENTION_WAIT_HOURS', parsers.integer(0, 720), 0),
    pluginUrls: read('PLUGIN_URLS', parsers.oneOf('on', 'off'), 'off') === 'on',
    plugins: {
      fetch: read('PLUGIN_FETCH', parsers.oneOf('on', 'off'), 'off') === 'on',
      fetchPrivate: read('PLUGIN_FETCH_PRIVATE', parsers.ranges, []),
      processMs: read('PLUGIN_PROCESS_MS', parsers.integer(10, PLUGIN_PROCESS_MS_MAX), 0),
      memoryBytesMax: read('PLUGIN_MEMORY_BYTES_MAX', pluginMemory, 0),
      cpu: pluginCpu(read),
      geoipFile: text('GEOIP_FILE') === '' ? undefined : resolve(machine.cwd, text('GEOIP_FILE')),
    },
    logLevel: read('LOG_LEVEL', parsers.oneOf('debug', 'info', 'warn', 'error', 'silent'), 'info'),
    shutdownDeadlineMs: read('SHUTDOWN_DEADLINE_MS', parsers.integer(1_000, 600_000), 0),
    failpoints: text('FAILPOINTS'),
  }
  problems.push(...clashes(config), ...missing(role, text), ...securityProblems(text))
  return problems.length > 0 ? err(problems) : ok(deepFreeze(config))
}

function bootstrapOf(read: Read): Config['bootstrap'] {
  return {
    email: read('BOOTSTRAP_EMAIL', parsers.email, undefined),
    projectApiKey: read('BOOTSTRAP_PROJECT_API_KEY', parsers.projectKey, undefined),
    personalApiKey: read('BOOTSTRAP_PERSONAL_API_KEY', parsers.token(20, 128), undefined),
  }
}

/** Parses one setting; the fallback when it is unset or wrong, which is then reported. */
type Read = <T>(key: SettingKey, parse: (text: string) => Result<T, string>, fallback: T) => T

function mailOf(read: Read): Config['mail'] {
  return {
    smtpUrl: read('SMTP_URL', parsers.url('smtp', 'smtps'), undefined),
    from: read('MAIL_FROM', parsers.email, undefined) ?? '',
  }
}

function projectLimits(read: Read): ProjectLimitSettings {
  const count = (key: SettingKey) =>
    read<number | undefined>(key, parsers.integer(1, 1_000_000_000), undefined)
  const rate = (perSKey: SettingKey, burstKey: SettingKey): Rate | undefined => {
    const perS = count(perSKey)
    const burst = count(burstKey)
    return perS === undefined ? undefined : { perS, burst: burst ?? 10 * perS }
  }
  return {
    captureRate: rate('CAPTURE_EVENTS_PER_S', 'CAPTURE_EVENTS_BURST'),
    capturePerDay: count('CAPTURE_EVENTS_PER_DAY'),
    decideRate: rate('DECIDE_REQUESTS_PER_S', 'DECIDE_REQUESTS_BURST'),
    unlimited: read('UNLIMITED_PROJECTS', parsers.projects, []),
  }
}

const bodyBytes = parsers.integer(BODY_BYTES_SETTING_MIN, BODY_BYTES_SETTING_MAX)
function pluginCpu(read: Read): Config['plugins']['cpu'] {
  const share = read('PLUGIN_CPU_PERCENT', parsers.integer(1, 6_400), 0) / 100
  return { share, burstMs: read('PLUGIN_CPU_BURST_MS', parsers.integer(100, 3_600_000), 0) }
}

const pluginMemory = parsers.integer(SANDBOX_MEMORY_BYTES_MAX, 1_000_000_000_000)

/** Default of a setting for a role, as text. */
export function settingDefault(key: SettingKey, role: Role): string {
  const fallback = SETTINGS[key].default
  return typeof fallback === 'string' ? fallback : fallback[role]
}

/** Settings that a role requires: only a standalone runs its own servers. */
const NEEDED: Readonly<Record<Role, readonly SettingKey[]>> = {
  standalone: [],
  worker: ['DATABASE_URL', 'NATS_URL'],
  gateway: ['NATS_URL'],
}

function missing(role: Role, text: (key: SettingKey) => string): string[] {
  const unset = NEEDED[role].filter((key) => text(key) === '')
  return unset.map((key) => `${key} is needed by a ${role}`)
}

/**
 * Two listeners of one process on one port; found here, since the second would fail after the first
 * is public.
 */
function clashes({ role, http, grpc, adminPort }: Config): string[] {
  const used: [SettingKey, number][] = [['ADMIN_PORT', adminPort]]
  if (role !== 'worker') used.push(['PORT', http.port])
  if (role !== 'gateway') used.push(['GRPC_PORT', grpc.port])
  const problems: string[] = []
  for (const [index, [key, port]] of used.entries()) {
    const other = used.slice(index + 1).find((entry) => port !== 0 && entry[1] === port)
    if (other !== undefined) problems.push(`${key} and ${other[0]} are both ${port}`)
  }
  return problems
}

/** `0.0.0.0` is where we listen, not where anyone can dial. */
function advertised(grpc: HostPort, machine: Machine): HostPort {
  const anywhere = grpc.host === '0.0.0.0' || grpc.host === '::'
  return { host: anywhere ? machine.address : grpc.host, port: grpc.port }
}

function thisMachine(): Machine {
  for (const addresses of Object.values(networkInterfaces())) {
    for (const { family, internal, address } of addresses ?? []) {
      if (family === 'IPv4' && !internal) return { cwd: process.cwd(), address }
    }
  }
  return { cwd: process.cwd(), address: '127.0.0.1' }
}

function deepFreeze<T extends object>(value: T): T {
  for (const inner of Object.values(value)) {
    if (typeof inner === 'object' && inner !== null) deepFreeze(inner)
  }
  return Object.freeze(value)
}
