/** Settings of encryption and of credentials in files, and how they clash. */
import { resolve } from 'node:path'
import { addressRanges } from '../address-ranges.ts'
import type { Role, SettingKey } from './setting-keys.ts'

/** Files in PEM, by absolute path. */
export type TlsFiles = {
  readonly cert: string | undefined
  readonly key: string | undefined
  readonly ca: string | undefined
}

export type SecuritySettings = {
  readonly grpc: TlsFiles & {
    /** Name in the certificates of workers, where it is not the host that is dialled. */
    readonly serverName: string | undefined
    /** Whether workers may listen without TLS where others than this machine can reach them. */
    readonly plaintext: boolean
    readonly reflection: boolean
  }
  readonly nats: TlsFiles & {
    readonly creds: string | undefined
    readonly nkey: string | undefined
  }
  readonly redis: TlsFiles
}

type Text = (key: SettingKey) => string

/** @param grpcHost where gRPC listens. */
export function securityOf(
  text: Text,
  { cwd, grpcHost }: { cwd: string; grpcHost: string },
): SecuritySettings {
  const file = (key: SettingKey) => (text(key) === '' ? undefined : resolve(cwd, text(key)))
  const reflection = text('GRPC_REFLECTION').toLowerCase()
  return {
    grpc: {
      cert: file('GRPC_TLS_CERT'),
      key: file('GRPC_TLS_KEY'),
      ca: file('GRPC_TLS_CA'),
      serverName: text('GRPC_TLS_NAME') || undefined,
      plaintext: text('GRPC_PLAINTEXT').toLowerCase() === 'on',
      reflection: reflection === '' ? isLoopback(grpcHost) : reflection === 'on',
    },
    nats: {
      cert: file('NATS_TLS_CERT'),
      key: file('NATS_TLS_KEY'),
      ca: file('NATS_TLS_CA'),
      creds: file('NATS_CREDS'),
      nkey: file('NATS_NKEY'),
    },
    redis: {
      cert: file('REDIS_TLS_CERT'),
      key: file('REDIS_TLS_KEY'),
      ca: file('REDIS_TLS_CA'),
    },
  }
}

const SWITCHES = ['GRPC_PLAINTEXT', 'GRPC_REFLECTION'] as const
const PAIRS = [
  ['GRPC_TLS_CERT', 'GRPC_TLS_KEY'],
  ['NATS_TLS_CERT', 'NATS_TLS_KEY'],
  ['REDIS_TLS_CERT', 'REDIS_TLS_KEY'],
] as const

/** One sentence for each problem. */
export function securityProblems(text: Text): string[] {
  const problems: string[] = []
  for (const key of SWITCHES) {
    if (!['', 'on', 'off'].includes(text(key).toLowerCase()))
      problems.push(`${key} must be on, off`)
  }
  for (const [cert, key] of PAIRS) {
    if ((text(cert) === '') !== (text(key) === '')) problems.push(`${cert} and ${key} go together`)
  }
  const redis = text('REDIS_URL')
  const redisTls = text('REDIS_TLS_CA') + text('REDIS_TLS_CERT')
  if (redisTls !== '' && redis !== '' && !redis.startsWith('rediss:')) {
    problems.push('REDIS_URL must start with rediss:// where there are files of REDIS_TLS_')
  }
  if (text('NATS_CREDS') !== '' && text('NATS_NKEY') !== '') {
    problems.push('NATS_CREDS and NATS_NKEY are two ways to log in: set one')
  }
  return problems
}

/** @returns why a worker of these settings must not listen; undefined when it may. */
export function listenProblem(
  role: Role,
  host: string,
  { cert, plaintext }: SecuritySettings['grpc'],
): string | undefined {
  if (role === 'gateway' || cert !== undefined || plaintext || isLoopback(host)) return undefined
  return (
    `GRPC_HOST ${host} is not loopback, and gRPC is without TLS: set GRPC_TLS_CERT and GRPC_TLS_KEY, ` +
    'or GRPC_PLAINTEXT=on where nobody else can reach or read this network'
  )
}

const LOOPBACK = addressRanges(['127.0.0.0/8', '::1'])

function isLoopback(host: string): boolean {
  return host === 'localhost' || (LOOPBACK.ok && LOOPBACK.value(host))
}
