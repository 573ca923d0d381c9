/** Every setting of the environment, with its help text and default: demanded by type. */

import type { Role, SettingKey } from './setting-keys.ts'

export type Setting = {
  readonly help: string
  /** As an operator would write it; a sentence in parentheses when it is not a value. */
  readonly default: string | Readonly<Record<Role, string>>
  /** Never shown: `all` of it, or the `password` of a URL. */
  readonly secret?: 'all' | 'password'
}

/** A URL that may hold a password. */
const urlWithPassword = (help: string): Setting => ({ help, default: '', secret: 'password' })

const loopbackUnlessClustered = { standalone: '127.0.0.1', gateway: '0.0.0.0', worker: '0.0.0.0' }

export const SETTINGS: Readonly<Record<SettingKey, Setting>> = {
  HOST: { help: 'Address that HTTP listens on.', default: loopbackUnlessClustered },
  PORT: { help: 'Port of HTTP; 0 chooses a free one.', default: '8000' },
  GRPC_HOST: {
    help: "Address that a worker's gRPC listens on, and that commands dial.",
    default: loopbackUnlessClustered,
  },
  GRPC_PORT: { help: "Port of a worker's gRPC; 0 chooses a free one.", default: '8001' },
  GRPC_TLS_CERT: {
    help: 'File of the certificate, with its chain, of this process in gRPC (PEM).',
    default: '',
  },
  GRPC_TLS_KEY: { help: 'File of the key of GRPC_TLS_CERT (PEM).', default: '' },
  GRPC_TLS_CA: {
    help: 'File of the authority of the members (PEM): with it they verify each other in gRPC.',
    default: '',
  },
  GRPC_TLS_NAME: {
    help: 'Name that the certificates of workers are for, where it is not the host that is dialled.',
    default: '',
  },
  GRPC_PLAINTEXT: {
    help: 'on lets gRPC listen without TLS on an address that is not loopback.',
    default: 'off',
  },
  GRPC_REFLECTION: {
    help: 'on or off: whether gRPC describes its calls to anybody who asks.',
    default: '(on where GRPC_HOST is loopback, else off)',
  },
  ADVERTISE_ADDRESS: {
    help: 'host:port under which other members dial this worker.',
    default: '(GRPC_HOST and GRPC_PORT; an address of this machine when GRPC_HOST is 0.0.0.0)',
  },
  ADMIN_PORT: {
    help: 'Loopback port of /livez, /readyz and /metrics; 0 chooses a free one.',
    default: '8002',
  },
  DATABASE_URL: urlWithPassword(
    'postgres:// URL. Unset: the process starts a Postgres under DATA_DIR (standalone only).',
  ),
  EVENTS_URL: urlWithPassword(
    'http:// or https:// URL of the ClickHouse database that holds the events: equal on all workers. Unset: Postgres holds them.',
  ),
  NATS_URL: urlWithPassword(
    'nats:// or tls:// URLs of NATS, separated by commas. Unset: no cluster (standalone only).',
  ),
  NATS_CREDS: { help: 'File of credentials for NATS (.creds).', default: '' },
  NATS_NKEY: { help: 'File of the seed of an nkey for NATS.', default: '' },
  NATS_TLS_CA: {
    help: 'File of the authority of the NATS servers (PEM). Unset: those that Node.js knows.',
    default: '',
  },
  NATS_TLS_CERT: { help: 'File of a certificate to show to NATS (PEM).', default: '' },
  NATS_TLS_KEY: { help: 'File of the key of NATS_TLS_CERT (PEM).', default: '' },
  REDIS_URL: urlWithPassword(
    'redis:// or rediss:// URL of the decide cache. Unset: the cache is in memory.',
  ),
  REDIS_TLS_CA: {
    help: 'File of the authority of Redis (PEM). Unset: those that Node.js knows.',
    default: '',
  },
  REDIS_TLS_CERT: { help: 'File of a certificate to show to Redis (PEM).', default: '' },
  REDIS_TLS_KEY: { help: 'File of the key of REDIS_TLS_CERT (PEM).', default: '' },
  CLUSTER_NAME: {
    help: 'Prefix of NATS subjects, buckets and Redis keys; equal on all members.',
    default: 'sluice',
  },
  DATA_DIR: {
    help: 'Folder of the embedded Postgres and the operator token; created when missing.',
    default: '.data',
  },
  WORKER_WEIGHT: {
    help: 'Share of the shards relative to other workers, 1 to 1000.',
    default: '100',
  },
  SPILL_BYTES_MAX: {
    help: 'Bytes of events that NATS holds while Postgres takes none; at the bound capture gets 503.',
    default: '1073741824',
  },
  NATS_REPLICAS: {
    help: 'Replicas of the data that Sluice stores in NATS: 1, 3 or 5.',
    default: '1',
  },
  TRUSTED_PROXIES: {
    help: 'Addresses or CIDR ranges, separated by commas, whose X-Forwarded-* headers are trusted.',
    default: '',
  },
  HTTP_SERVER: {
    help: 'uws (uWebSockets.js, or node:http where it does not load) or node (node:http).',
    default: 'uws',
  },
  BODY_BYTES_MAX: {
    help: 'Bytes of which a request body must have fewer, before and after decompression; else 413. Management calls take 20 MB at most.',
    default: '20971520',
  },
  SECRETS_KEY: {
    help: 'Keys of 32 bytes in hex or base64, separated by commas, that seal secrets; the first seals, all open. The same for all workers.',
    default: '(DATA_DIR/secrets.key, which a standalone makes)',
    secret: 'all',
  },
  BOOTSTRAP_EMAIL: {
    help: 'E-mail address of the first user; used only while no user exists.',
    default: '(generated, in DATA_DIR/first-keys.json)',
  },
  BOOTSTRAP_PROJECT_API_KEY: {
    help: 'API key of the first project, 10 to 64 characters; used only with the first user.',
    default: '(generated, in DATA_DIR/first-keys.json)',
    secret: 'all',
  },
  BOOTSTRAP_PERSONAL_API_KEY: {
    help: "The first user's personal API key, 20 to 128 characters.",
    default: '(generated, in DATA_DIR/first-keys.json)',
    secret: 'all',
  },
  OPERATOR_TOKEN: {
    help: 'Token of operator commands, 16 to 256 characters; equal on all workers.',
    default: '(DATA_DIR/operator-token, created when missing)',
    secret: 'all',
  },
  PUBLIC_URL: {
    help: 'http:// or https:// URL under which people reach this instance, for mails and plugins.',
    default: '',
  },
  SMTP_URL: {
    help: 'smtp:// or smtps:// URL of a mail server. Mails are sent when PUBLIC_URL is set too.',
    default: '',
    secret: 'password',
  },
  MAIL_FROM: { help: 'Sender of mails.', default: 'sluice@localhost' },
  PERSONAL_KEYS_IN_QUERY: {
    help: 'off refuses requests with a personal key in the query string, which proxies log.',
    default: 'on',
  },
  API_CORS_ORIGINS: {
    help: 'Origins (https://app.example.com), separated by commas, whose pages may call /api/; * for all. Unset: no page but those of this instance.',
    default: '',
  },
  MCP_WRITES: { help: 'on lets assistants change flags over /mcp.', default: 'off' },
  CAPTURE_EVENTS_PER_S: {
    help: 'Events a second that each process takes of one project, over HTTP or gRPC; over it 429. Unset: no limit.',
    default: '',
  },
  CAPTURE_EVENTS_BURST: {
    help: 'Events of one project that a process takes at once after a quiet time.',
    default: '(10 times CAPTURE_EVENTS_PER_S)',
  },
  CAPTURE_EVENTS_PER_DAY: {
    help: 'Events of one project that each process takes a day (UTC) since its start; over it 429.',
    default: '',
  },
  DECIDE_REQUESTS_PER_S: {
    help: 'Questions about flags that each process answers one project a second; over it 429.',
    default: '',
  },
  DECIDE_REQUESTS_BURST: {
    help: 'Questions about flags that a process answers one project at once after a quiet time.',
    default: '(10 times DECIDE_REQUESTS_PER_S)',
  },
  UNLIMITED_PROJECTS: {
    help: 'Ids of projects, separated by commas, that those five settings do not limit.',
    default: '',
  },
  RATE_LIMITS: {
    help: 'on limits management calls per minute: 480 per project, events 240, flag libraries 600, changes of users 5.',
    default: 'off',
  },
  INVITES_PER_DAY: {
    help: 'Invites that an organization, and that one user, may make a day (UTC); over it 429.',
    default: '200',
  },
  QUERY_TIME_PERCENT: {
    help: 'Percent of the time that queries of one organization run in a worker on average, 1 to 200.',
    default: '50',
  },
  BACKUP_DAYS: {
    help: 'Days that you keep backups: answers to deletions say until when backups hold the data.',
    default: '',
  },
  RETENTION_WAIT_HOURS: {
    help: 'Hours before a retention that was made shorter deletes the first event, 0 to 720.',
    default: '24',
  },
  PLUGIN_URLS: {
    help: 'on lets users install plugins from a URL, which this instance fetches.',
    default: 'off',
  },
  PLUGIN_FETCH: { help: 'on lets plugins fetch from public addresses.', default: 'off' },
  PLUGIN_FETCH_PRIVATE: {
    help: 'Private addresses or CIDR ranges, separated by commas, that plugins may also fetch from.',
    default: '',
  },
  PLUGIN_PROCESS_MS: {
    help: 'Milliseconds that a plugin may take for one event, 10 to 30000.',
    default: '5000',
  },
  PLUGIN_MEMORY_BYTES_MAX: {
    help: 'Bytes of memory of all plugins of a worker together; each may use 99 MB of it.',
    default: '2147483648',
  },
  PLUGIN_CPU_PERCENT: {
    help: 'Processor time that the plugins of one organization get in a worker on average, 1 to 6400; 100 is one processor.',
    default: '100',
  },
  PLUGIN_CPU_BURST_MS: {
    help: 'Milliseconds of processor time that they may use at once after a rest, 100 to 3600000.',
    default: '30000',
  },
  GEOIP_FILE: { help: 'Database of places by IP address (.mmdb), for plugins.', default: '' },
  LOG_LEVEL: { help: 'debug, info, warn, error or silent.', default: 'info' },
  SHUTDOWN_DEADLINE_MS: {
    help: 'Milliseconds to drain after SIGTERM, 1000 to 600000; then the process ends in any case.',
    default: '25000',
  },
  FAILPOINTS: {
    help: 'Only for tests of failures: name=crash, name=delay:MS or name=error, separated by commas.',
    default: '',
  },
}
