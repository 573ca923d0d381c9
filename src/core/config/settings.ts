/** Every setting of the environment, with its help text and default: demanded by type. */

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
  | 'WORKER_WEIGHT'
  | 'SPILL_BYTES_MAX'
  | 'NATS_REPLICAS'
  | 'TRUSTED_PROXIES'
  | 'HTTP_SERVER'
  | 'BOOTSTRAP_EMAIL'
  | 'BOOTSTRAP_PROJECT_API_KEY'
  | 'BOOTSTRAP_PERSONAL_API_KEY'
  | 'OPERATOR_TOKEN'
  | 'PUBLIC_URL'
  | 'SMTP_URL'
  | 'MAIL_FROM'
  | 'RATE_LIMITS'
  | 'PLUGIN_URLS'
  | 'PLUGIN_FETCH'
  | 'PLUGIN_FETCH_PRIVATE'
  | 'PLUGIN_PROCESS_MS'
  | 'PLUGIN_MEMORY_BYTES_MAX'
  | 'GEOIP_FILE'
  | 'LOG_LEVEL'
  | 'SHUTDOWN_DEADLINE_MS'
  | 'FAILPOINTS'

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
    help: 'nats:// or tls:// URL of the cluster, several with commas. Unset: no cluster (standalone only).',
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
  WORKER_WEIGHT: {
    help: "Share of the shards beside the other workers', 1 to 1000.",
    default: '100',
  },
  SPILL_BYTES_MAX: {
    help: 'Bytes that NATS keeps of events while Postgres does not take them; then capture gets 503.',
    default: '1073741824',
  },
  NATS_REPLICAS: {
    help: 'Copies that a NATS cluster keeps of what Sluice stores there: 1, 3 or 5.',
    default: '1',
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
  PUBLIC_URL: {
    help: 'http:// or https:// URL under which people reach this instance, for links in mails.',
    default: '',
  },
  SMTP_URL: {
    help: 'smtp:// or smtps:// URL of a mail server. Mails are sent when PUBLIC_URL is set too.',
    default: '',
    secret: 'password',
  },
  MAIL_FROM: { help: 'Sender of mails.', default: 'sluice@localhost' },
  RATE_LIMITS: {
    help: 'on counts management calls: 480 a minute a project, events 240, flag libraries 600, changes of users 5.',
    default: 'off',
  },
  PLUGIN_URLS: {
    help: 'on lets plugins be installed from a URL, which this instance then fetches.',
    default: 'off',
  },
  PLUGIN_FETCH: {
    help: 'on lets plugins fetch from public addresses.',
    default: 'off',
  },
  PLUGIN_FETCH_PRIVATE: {
    help: 'Own addresses or CIDR ranges, with commas, that plugins may fetch from, too.',
    default: '',
  },
  PLUGIN_PROCESS_MS: {
    help: 'Time that a plugin may take for one event, 10 to 30000.',
    default: '5000',
  },
  PLUGIN_MEMORY_BYTES_MAX: {
    help: 'Memory of all plugins of a worker together; one may have 99 MB of it.',
    default: '2147483648',
  },
  GEOIP_FILE: {
    help: 'A database of places by IP address (.mmdb), for plugins.',
    default: '',
  },
  LOG_LEVEL: { help: 'debug, info, warn, error or silent.', default: 'info' },
  SHUTDOWN_DEADLINE_MS: {
    help: 'Time to drain after SIGTERM, 1000 to 600000; then the process ends anyway.',
    default: '25000',
  },
  FAILPOINTS: {
    help: 'For tests of failures only: name=crash, name=delay:MS or name=error, with commas.',
    default: '',
  },
}
