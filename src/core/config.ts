/**
 * The one reader of the environment. Every setting has its help text and default in `SETTINGS`,
 * demanded by type; all problems are reported at once; the result is frozen.
 */
import { networkInterfaces } from 'node:os'
import { resolve } from 'node:path'
import { type HostPort, parsers } from './config-parsers.ts'
import type { LogLevel } from './log.ts'
import { err, ok, type Result } from './result.ts'

export type { HostPort } from './config-parsers.ts'

/** What a process is; CLI commands read the settings of a standalone. */
export type Role = 'standalone' | 'gateway' | 'worker'

export type SettingKey =
  | 'HOST'
  | 'PORT'
  | 'GRPC_HOST'
  | 'GRPC_PORT'
  | 'ADVERTISE_ADDRESS'
  | 'ADMIN_PORT'
  | 'DATABASE_URL'
  | 'NATS_URL'
  | 'REDIS_URL'
  | 'CLUSTER_NAME'
  | 'DATA_DIR'
  | 'WORKER_ADDRESSES'
  | 'TRUSTED_PROXIES'
  | 'HTTP_SERVER'
  | 'BOOTSTRAP_EMAIL'
  | 'BOOTSTRAP_PROJECT_API_KEY'
  | 'BOOTSTRAP_PERSONAL_API_KEY'
  | 'OPERATOR_TOKEN'
  | 'LOG_LEVEL'
  | 'SHUTDOWN_DEADLINE_MS'

export type Setting = {
  readonly help: string
  /** As an operator would write it; a sentence in parentheses when it is not a value. */
  readonly default: string | Readonly<Record<Role, string>>
  /** Never shown: `all` of it, or the `password` of a URL. */
  readonly secret?: 'all' | 'password'
}

const loopbackUnlessClustered = {
  standalone: '127.0.0.1',
  gateway: '0.0.0.0',
  worker: '0.0.0.0',
}

export const SETTINGS: Readonly<Record<SettingKey, Setting>> = {
  HOST: { help: 'Address that HTTP listens on.', default: loopbackUnlessClustered },
  PORT: { help: 'Port of HTTP; 0 takes a free one.', default: '8000' },
  GRPC_HOST: {
    help: "Address that a worker's gRPC listens on; where the CLI dials.",
    default: loopbackUnlessClustered,
  },
  GRPC_PORT: { help: "Port of a worker's gRPC; 0 takes a free one.", default: '8001' },
  ADVERTISE_ADDRESS: {
    help: 'host:port under which other members dial this worker.',
    default: "(gRPC's; an address of this machine when that is 0.0.0.0)",
  },
  ADMIN_PORT: {
    help: 'Loopback port of /livez, /readyz and /metrics; 0 takes a free one.',
    default: '8002',
  },
  DATABASE_URL: {
    help: 'postgres:// URL. Unset: a Postgres of its own under DATA_DIR (standalone only).',
    default: '',
    secret: 'password',
  },
  NATS_URL: {
    help: 'nats:// or tls:// URL, several with commas. Unset: no cluster, or WORKER_ADDRESSES.',
    default: '',
    secret: 'password',
  },
  REDIS_URL: {
    help: 'redis:// or rediss:// URL of the decide cache. Unset: a cache in memory.',
    default: '',
    secret: 'password',
  },
  CLUSTER_NAME: {
    help: 'Prefix of NATS subjects, buckets and Redis keys; the same on every member.',
    default: 'sluice',
  },
  DATA_DIR: {
    help: 'Folder of the embedded Postgres and the operator token; made when missing.',
    default: '.data',
  },
  WORKER_ADDRESSES: {
    help: 'host:port of every worker, with commas: a fixed cluster without NATS.',
    default: '',
  },
  TRUSTED_PROXIES: {
    help: 'Addresses or CIDR ranges, with commas, whose X-Forwarded-* headers are believed.',
    default: '',
  },
  HTTP_SERVER: {
    help: 'uws (uWebSockets.js, node:http where it does not load) or node (node:http).',
    default: 'uws',
  },
  BOOTSTRAP_EMAIL: {
    help: 'E-mail address of the first user; used only while there is none.',
    default: '(generated, printed once)',
  },
  BOOTSTRAP_PROJECT_API_KEY: {
    help: 'API key of the first project, 10 to 64 characters; used only with the first user.',
    default: '(generated, printed once)',
    secret: 'all',
  },
  BOOTSTRAP_PERSONAL_API_KEY: {
    help: "The first user's personal API key, 20 to 128 characters.",
    default: '(generated, printed once)',
    secret: 'all',
  },
  OPERATOR_TOKEN: {
    help: 'Authenticates the CLI to workers, 16 to 256 characters; the same on every worker.',
    default: '(DATA_DIR/operator-token, made when missing)',
    secret: 'all',
  },
  LOG_LEVEL: { help: 'debug, info, warn, error or silent.', default: 'info' },
  SHUTDOWN_DEADLINE_MS: {
    help: 'Time to drain after SIGTERM, 1000 to 600000; then the process ends anyway.',
    default: '25000',
  },
}

export type Config = {
  readonly role: Role
  readonly http: HostPort
  readonly grpc: HostPort
  /**
   * Host others dial, and its port: 0 when GRPC_PORT is 0, the port then comes from the listener.
   */
  readonly advertise: HostPort
  readonly adminPort: number
  readonly databaseUrl: string | undefined
  readonly natsUrl: string | undefined
  readonly redisUrl: string | undefined
  readonly clusterName: string
  /** Absolute. */
  readonly dataDir: string
  /** Empty when members come from NATS or the process is alone. */
  readonly workerAddresses: readonly HostPort[]
  /** Addresses and CIDR ranges, checked. */
  readonly trustedProxies: readonly string[]
  readonly httpServer: 'uws' | 'node'
  readonly bootstrap: {
    readonly email: string | undefined
    readonly projectApiKey: string | undefined
    readonly personalApiKey: string | undefined
  }
  readonly operatorToken: string | undefined
  readonly logLevel: LogLevel
  readonly shutdownDeadlineMs: number
}

export type Environment = Readonly<Record<string, string | undefined>>
/** The environment of this process, for readers of settings only. */
export function environment(): Environment {
  return process.env
}

/** What defaults take from the machine. */
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
  const read = <T>(key: SettingKey, parse: (text: string) => Result<T, string>, fallback: T): T => {
    const value = text(key) === '' ? settingDefault(key, role) : text(key)
    if (value === '' || value.startsWith('(')) return fallback
    const parsed = parse(value)
    if (parsed.ok) return parsed.value
    problems.push(`${key} ${parsed.error}`)
    return fallback
  }
  const grpc = {
    host: read('GRPC_HOST', parsers.host, ''),
    port: read('GRPC_PORT', parsers.port, 0),
  }
  const config: Config = {
    role,
    http: { host: read('HOST', parsers.host, ''), port: read('PORT', parsers.port, 0) },
    grpc,
    advertise: read('ADVERTISE_ADDRESS', parsers.address, advertised(grpc, machine)),
    adminPort: read('ADMIN_PORT', parsers.port, 0),
    databaseUrl: read('DATABASE_URL', parsers.url('postgres', 'postgresql'), undefined),
    natsUrl: read('NATS_URL', parsers.urls('nats', 'tls'), undefined),
    redisUrl: read('REDIS_URL', parsers.url('redis', 'rediss'), undefined),
    clusterName: read('CLUSTER_NAME', parsers.name, ''),
    dataDir: resolve(machine.cwd, text('DATA_DIR') || settingDefault('DATA_DIR', role)),
    workerAddresses: read('WORKER_ADDRESSES', parsers.addresses, []),
    trustedProxies: read('TRUSTED_PROXIES', parsers.ranges, []),
    httpServer: read('HTTP_SERVER', parsers.oneOf('uws', 'node'), 'uws'),
    bootstrap: {
      email: read('BOOTSTRAP_EMAIL', parsers.email, undefined),
      projectApiKey: read('BOOTSTRAP_PROJECT_API_KEY', parsers.projectKey, undefined),
      personalApiKey: read('BOOTSTRAP_PERSONAL_API_KEY', parsers.token(20, 128), undefined),
    },
    operatorToken: read('OPERATOR_TOKEN', parsers.token(16, 256), undefined),
    logLevel: read('LOG_LEVEL', parsers.oneOf('debug', 'info', 'warn', 'error', 'silent'), 'info'),
    shutdownDeadlineMs: read('SHUTDOWN_DEADLINE_MS', parsers.integer(1_000, 600_000), 0),
  }
  problems.push(...clashes(config), ...missing(role, text))
  return problems.length > 0 ? err(problems) : ok(deepFreeze(config))
}

/** Default of a setting for a role, as text. */
export function settingDefault(key: SettingKey, role: Role): string {
  const fallback = SETTINGS[key].default
  return typeof fallback === 'string' ? fallback : fallback[role]
}

/** Only a standalone brings its own database and needs no one to tell it of workers. */
function missing(role: Role, text: (key: SettingKey) => string): string[] {
  const problems: string[] = []
  if (role === 'worker' && text('DATABASE_URL') === '') {
    problems.push('DATABASE_URL is needed by a worker')
  }
  if (role === 'gateway' && text('NATS_URL') === '' && text('WORKER_ADDRESSES') === '') {
    problems.push('NATS_URL (or WORKER_ADDRESSES) is needed by a gateway')
  }
  return problems
}

/** Two listeners of one process on one port: the second would fail, after the first is public. */
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
