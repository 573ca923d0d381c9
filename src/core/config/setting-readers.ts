/** Readers of each setting: help texts and logs show a process only its own settings. */
import type { Role, SettingKey } from './setting-keys.ts'

/** A process of a role, or the one that runs nothing but the Postgres of DATA_DIR. */
export type Reader = Role | 'postgres'

const ALL: readonly Reader[] = ['standalone', 'gateway', 'worker', 'postgres']
const MEMBERS: readonly Reader[] = ['standalone', 'gateway', 'worker']
const HTTP: readonly Reader[] = ['standalone', 'gateway']
const WORKERS: readonly Reader[] = ['standalone', 'worker']

const READERS: Readonly<Record<SettingKey, readonly Reader[]>> = {
  HOST: HTTP,
  PORT: HTTP,
  GRPC_HOST: WORKERS,
  GRPC_PORT: WORKERS,
  // A gateway shows its certificate to the workers that it dials.
  GRPC_TLS_CERT: MEMBERS,
  GRPC_TLS_KEY: MEMBERS,
  GRPC_TLS_CA: MEMBERS,
  GRPC_TLS_NAME: MEMBERS,
  GRPC_PLAINTEXT: WORKERS,
  GRPC_REFLECTION: WORKERS,
  ADVERTISE_ADDRESS: WORKERS,
  ADMIN_PORT: ALL,
  DATABASE_URL: WORKERS,
  EVENTS_URL: WORKERS,
  NATS_URL: MEMBERS,
  NATS_CREDS: MEMBERS,
  NATS_NKEY: MEMBERS,
  NATS_TLS_CA: MEMBERS,
  NATS_TLS_CERT: MEMBERS,
  NATS_TLS_KEY: MEMBERS,
  REDIS_URL: MEMBERS,
  REDIS_TLS_CA: MEMBERS,
  REDIS_TLS_CERT: MEMBERS,
  REDIS_TLS_KEY: MEMBERS,
  CLUSTER_NAME: MEMBERS,
  DATA_DIR: ['standalone', 'worker', 'postgres'],
  WORKER_WEIGHT: WORKERS,
  SPILL_BYTES_MAX: WORKERS,
  NATS_REPLICAS: MEMBERS,
  BODY_BYTES_MAX: HTTP,
  TRUSTED_PROXIES: HTTP,
  HTTP_SERVER: HTTP,
  SECRETS_KEY: WORKERS,
  BOOTSTRAP_EMAIL: WORKERS,
  BOOTSTRAP_PROJECT_API_KEY: WORKERS,
  BOOTSTRAP_PERSONAL_API_KEY: WORKERS,
  OPERATOR_TOKEN: WORKERS,
  PUBLIC_URL: WORKERS,
  SMTP_URL: WORKERS,
  MAIL_FROM: WORKERS,
  PERSONAL_KEYS_IN_QUERY: HTTP,
  API_CORS_ORIGINS: HTTP,
  MCP_WRITES: HTTP,
  CAPTURE_EVENTS_PER_S: MEMBERS,
  CAPTURE_EVENTS_BURST: MEMBERS,
  CAPTURE_EVENTS_PER_DAY: MEMBERS,
  DECIDE_REQUESTS_PER_S: MEMBERS,
  DECIDE_REQUESTS_BURST: MEMBERS,
  UNLIMITED_PROJECTS: MEMBERS,
  RATE_LIMITS: WORKERS,
  INVITES_PER_DAY: WORKERS,
  QUERY_TIME_PERCENT: WORKERS,
  BACKUP_DAYS: WORKERS,
  RETENTION_WAIT_HOURS: WORKERS,
  PLUGIN_URLS: WORKERS,
  PLUGIN_FETCH: WORKERS,
  PLUGIN_FETCH_PRIVATE: WORKERS,
  PLUGIN_PROCESS_MS: WORKERS,
  PLUGIN_MEMORY_BYTES_MAX: WORKERS,
  PLUGIN_CPU_PERCENT: WORKERS,
  PLUGIN_CPU_BURST_MS: WORKERS,
  GEOIP_FILE: WORKERS,
  LOG_LEVEL: ALL,
  SHUTDOWN_DEADLINE_MS: ALL,
  FAILPOINTS: WORKERS,
}

export function reads(reader: Reader, key: SettingKey): boolean {
  return READERS[key].includes(reader)
}

/** Role whose defaults a process uses. */
export function roleOf(reader: Reader): Role {
  return reader === 'postgres' ? 'standalone' : reader
}
