import t from 'tap'
import {
  type Config,
  type Environment,
  type Role,
  readConfig,
} from '../../../../src/core/config/config.ts'
import { listenProblem } from '../../../../src/core/config/tls-settings.ts'

const machine = { cwd: '/srv/app', address: '10.1.2.3' }
const URLS = { DATABASE_URL: 'postgres://db/sluice', NATS_URL: 'nats://n:4222' }
const TLS = { GRPC_TLS_CERT: 'cert.pem', GRPC_TLS_KEY: '/keys/key.pem' }

function read(role: Role, env: Environment): Config {
  const result = readConfig(role, { ...URLS, ...env }, machine)
  if (!result.ok) throw new Error(result.error.join('; '))
  return result.value
}

function mayListen(role: Role, env: Environment): boolean {
  const { grpc, security } = read(role, env)
  return listenProblem(role, grpc.host, security.grpc) === undefined
}

t.test('a worker listens in plain text on loopback only, unless it is told to', async (t) => {
  const cases: [boolean, Environment][] = [
    [false, {}],
    [false, { GRPC_HOST: '0.0.0.0' }],
    [false, { GRPC_HOST: '::' }],
    [false, { GRPC_HOST: '10.0.0.1' }],
    [false, { GRPC_HOST: 'worker-1' }],
    [true, { GRPC_HOST: '127.0.0.1' }],
    [true, { GRPC_HOST: '127.3.2.1' }],
    [true, { GRPC_HOST: '::1' }],
    [true, { GRPC_HOST: 'localhost' }],
    [true, { GRPC_HOST: '0.0.0.0', ...TLS }],
    [true, { GRPC_HOST: '0.0.0.0', GRPC_PLAINTEXT: 'on' }],
  ]
  for (const [isAllowed, env] of cases) {
    t.equal(mayListen('worker', env), isAllowed, JSON.stringify(env))
    if ('GRPC_HOST' in env) t.equal(mayListen('standalone', env), isAllowed)
  }
  t.equal(
    mayListen('gateway', { GRPC_HOST: '0.0.0.0' }),
    true,
    'a gateway does not listen for gRPC',
  )
})

t.test('reflection is on where only this machine can ask, unless told', async (t) => {
  const reflects = (env: Environment) => read('worker', env).security.grpc.reflection
  t.equal(reflects({ GRPC_HOST: '127.0.0.1' }), true)
  t.equal(reflects({ GRPC_HOST: '0.0.0.0' }), false)
  t.equal(reflects({ GRPC_HOST: '0.0.0.0', GRPC_REFLECTION: 'on' }), true)
  t.equal(reflects({ GRPC_HOST: '127.0.0.1', GRPC_REFLECTION: 'OFF' }), false)
})

t.test('files are absolute, and settings that do not go together are refused', async (t) => {
  t.match(read('worker', TLS).security.grpc, { cert: '/srv/app/cert.pem', key: '/keys/key.pem' })
  const wrong: [Environment, RegExp][] = [
    [{ GRPC_TLS_CERT: 'cert.pem' }, /^GRPC_TLS_CERT and GRPC_TLS_KEY/],
    [{ NATS_TLS_KEY: 'key.pem' }, /^NATS_TLS_CERT and NATS_TLS_KEY/],
    [{ NATS_CREDS: 'a', NATS_NKEY: 'b' }, /^NATS_CREDS and NATS_NKEY/],
    [{ REDIS_URL: 'redis://r', REDIS_TLS_CA: 'ca.pem' }, /^REDIS_URL must start with rediss/],
    [{ GRPC_PLAINTEXT: 'yes' }, /^GRPC_PLAINTEXT must be on, off/],
    [{ GRPC_REFLECTION: '1' }, /^GRPC_REFLECTION must be on, off/],
  ]
  for (const [env, problem] of wrong) {
    const result = readConfig('worker', { ...URLS, ...env }, machine)
    t.match(result.ok ? [] : result.error, [problem], JSON.stringify(env))
  }
})
