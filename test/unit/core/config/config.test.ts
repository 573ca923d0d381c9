import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import fc from 'fast-check'
import t from 'tap'
import {
  allowsColors,
  type Config,
  type Environment,
  type Role,
  readConfig,
  SETTINGS,
} from '../../../../src/core/config/config.ts'
import {
  describeChanged,
  describeConfig,
  maskPasswords,
  settingKeys,
  settingKeysOf,
  settingsHelp,
} from '../../../../src/core/config/config-text.ts'
import { packageRoot } from '../../../../src/core/package-root.ts'

const machine = { cwd: '/srv/app', address: '10.1.2.3' }
const clustered = { DATABASE_URL: 'postgres://db/sluice', NATS_URL: 'nats://n:4222' }

function read(role: Role, env: Environment): Config {
  const result = readConfig(role, env, machine)
  if (!result.ok) throw new Error(result.error.join('; '))
  return result.value
}

function problems(role: Role, env: Environment): readonly string[] {
  const result = readConfig(role, env, machine)
  return result.ok ? [] : result.error
}

t.test('every problem is reported at once', async (t) => {
  const found = problems('standalone', {
    PORT: '80000',
    GRPC_HOST: 'not a host',
    HTTP_SERVER: 'apache',
    TRUSTED_PROXIES: '10.0.0.0/40',
    LOG_LEVEL: 'loud',
  })
  const keys = found.map((problem) => problem.split(' ')[0])
  t.strictSame(keys.sort(), ['GRPC_HOST', 'HTTP_SERVER', 'LOG_LEVEL', 'PORT', 'TRUSTED_PROXIES'])
})

t.test('malformed values are refused', async (t) => {
  const bad: Environment[] = [
    { PORT: '-1' },
    { PORT: '1e3' },
    { PORT: '80.5' },
    { HOST: '999.1.1.1' },
    { HOST: '-leading' },
    { ADVERTISE_ADDRESS: 'host' },
    { ADVERTISE_ADDRESS: 'host:0' },
    { ADVERTISE_ADDRESS: '::1:8001' },
    { DATABASE_URL: 'mysql://db/sluice' },
    { NATS_URL: 'nats://a:4222,http://b' },
    { REDIS_URL: 'localhost:6379' },
    { CLUSTER_NAME: 'a.b' },
    { CLUSTER_NAME: 'a'.repeat(33) },
    { BOOTSTRAP_EMAIL: 'nobody' },
    { BOOTSTRAP_PROJECT_API_KEY: 'short' },
    { BOOTSTRAP_PROJECT_API_KEY: `phx_${'a'.repeat(20)}` },
    { BOOTSTRAP_PROJECT_API_KEY: 'a'.repeat(65) },
    { OPERATOR_TOKEN: 'with a space in the middle' },
    { SHUTDOWN_DEADLINE_MS: '999' },
    { WORKER_WEIGHT: '0' },
    { NATS_REPLICAS: '2' },
    { SPILL_BYTES_MAX: '1000' },
    { TRUSTED_PROXIES: '10.0.0.1,proxy.internal' },
    { TRUSTED_PROXIES: '10.0.0.0/8/8' },
    ...[
      'app.example.com',
      'https://app.example.com/path',
      'https://u@app',
      'null',
      'https://*.a.b',
    ].map((origin) => ({ API_CORS_ORIGINS: `https://a.example.com, ${origin}` })),
  ]
  for (const env of bad) t.equal(problems('standalone', env).length, 1, JSON.stringify(env))
})

t.test('a problem never quotes a secret', async (t) => {
  const secret = 'hunter2 hunter2'
  const found = problems('standalone', {
    OPERATOR_TOKEN: secret,
    BOOTSTRAP_PROJECT_API_KEY: secret,
    BOOTSTRAP_PERSONAL_API_KEY: secret,
    DATABASE_URL: `pg://user:${secret}@db/x`,
    REDIS_URL: `http://:${secret}@r`,
    NATS_URL: `http://${secret}@n`,
  })
  t.equal(found.length, 6)
  t.notMatch(found.join(), /hunter2/)
})

t.test(
  'the URL of ClickHouse names a database, and is never shown with its password',
  async (t) => {
    const url = (text: string) => problems('standalone', { EVENTS_URL: text })
    for (const text of ['http://c:8123', 'http://u:p@c:8123/', 'https://u:p%2F@c:8443/sluice_2']) {
      t.strictSame(url(text), [], text)
      t.equal(read('standalone', { EVENTS_URL: text }).eventsUrl, text)
    }
    const wrong = ['clickhouse://u:hunter2@c', 'http://', 'http://u:hunter2@c/a.b', 'http://c/a/b']
    for (const text of [...wrong, 'http://u:hunter2@c/?database=a', 'http://c/1a']) {
      t.match(url(text), [/^EVENTS_URL must|^EVENTS_URL is not a URL/], text)
      t.notMatch(url(text).join(), /hunter2/)
    }
    t.equal(
      describeConfig('worker', { EVENTS_URL: 'http://u:hunter2@c/a' }).EVENTS_URL,
      'http://***@c/a',
    )
    t.equal(read('standalone', {}).eventsUrl, undefined, 'off by default')
  },
)

t.test('two listeners of one process may not share a port', async (t) => {
  t.match(problems('standalone', { PORT: '9000', GRPC_PORT: '9000' }), [/PORT and GRPC_PORT/])
  t.strictSame(problems('standalone', { PORT: '0', GRPC_PORT: '0', ADMIN_PORT: '0' }), [])
  t.strictSame(problems('gateway', { NATS_URL: 'nats://n', PORT: '8001' }), [], 'has no gRPC port')
})

t.test('a worker and a gateway say what they cannot do without', async (t) => {
  t.match(problems('worker', {}), [/^DATABASE_URL /, /^NATS_URL /])
  t.match(problems('gateway', {}), [/^NATS_URL /])
  t.strictSame(problems('gateway', { NATS_URL: 'nats://n' }), [])
  t.strictSame(problems('standalone', { NATS_URL: 'nats://n' }), [], 'commands need no more')
  t.strictSame(problems('standalone', clustered), [])
  t.strictSame(problems('worker', clustered), [])
  t.strictSame(problems('standalone', {}), [])
})

t.test('defaults follow the role', async (t) => {
  const alone = read('standalone', {})
  t.strictSame(alone.http, { host: '127.0.0.1', port: 8000 })
  t.strictSame(alone.grpc, { host: '127.0.0.1', port: 8001 })
  t.strictSame(alone.advertise, { host: '127.0.0.1', port: 8001 })
  t.equal(alone.dataDir, '/srv/app/.data')
  t.equal(alone.databaseUrl, undefined)
  t.equal(alone.operatorToken, undefined)
  t.equal(alone.adminPort, 8002)
  t.equal(alone.shutdownDeadlineMs, 25_000)
  const worker = read('worker', clustered)
  t.equal(worker.grpc.host, '0.0.0.0')
  t.strictSame(worker.advertise, { host: '10.1.2.3', port: 8001 }, 'an address one can dial')
  t.equal(read('gateway', clustered).http.host, '0.0.0.0')
})

t.test('values are trimmed, blank ones are unset, lists may hold spaces', async (t) => {
  const config = read('standalone', {
    PORT: ' 9001 ',
    HOST: '  ',
    TRUSTED_PROXIES: '10.0.0.0/8, ::1',
    DATABASE_URL: '',
  })
  t.equal(config.http.port, 9001)
  t.equal(config.http.host, '127.0.0.1')
  t.strictSame(config.trustedProxies, ['10.0.0.0/8', '::1'])
  t.equal(config.databaseUrl, undefined)
})

t.test('a body has fewer bytes than the setting says', async (t) => {
  t.equal(read('gateway', clustered).bodyBytesMax, 20_971_519)
  t.equal(read('standalone', { BODY_BYTES_MAX: '1048576' }).bodyBytesMax, 1_048_575)
  for (const wrong of ['0', '1048575', '67108865', '20MB']) {
    const [problem] = problems('standalone', { BODY_BYTES_MAX: wrong })
    t.match(problem, /^BODY_BYTES_MAX must be a whole number from 1048576 to 67108864/)
  }
})

t.test('limits of projects are off unless set, and a burst is ten seconds of a rate', async (t) => {
  const off = { captureRate: undefined, capturePerDay: undefined, decideRate: undefined }
  t.strictSame(read('gateway', clustered).projectLimits, { ...off, unlimited: [] })
  const config = read('gateway', {
    ...clustered,
    CAPTURE_EVENTS_PER_S: '100',
    CAPTURE_EVENTS_PER_DAY: '5000',
    DECIDE_REQUESTS_PER_S: '20',
    DECIDE_REQUESTS_BURST: '30',
    UNLIMITED_PROJECTS: '1, 7',
  })
  t.strictSame(config.projectLimits, {
    captureRate: { perS: 100, burst: 1_000 },
    capturePerDay: 5_000,
    decideRate: { perS: 20, burst: 30 },
    unlimited: [1, 7],
  })
})

t.test('origins are read as browsers write them', async (t) => {
  const origins = (API_CORS_ORIGINS: string) =>
    read('gateway', { ...clustered, API_CORS_ORIGINS }).apiCorsOrigins
  t.strictSame(origins(''), [])
  t.strictSame(origins('https://App.Example.com:443/, http://[::1]:3000'), [
    'https://app.example.com',
    'http://[::1]:3000',
  ])
  t.strictSame(origins('capacitor://localhost,*'), ['capacitor://localhost', '*'])
})

t.test('the settings cannot be changed', async (t) => {
  const config = read('standalone', { TRUSTED_PROXIES: '::1' })
  t.ok(Object.isFrozen(config) && Object.isFrozen(config.http))
  t.ok(Object.isFrozen(config.trustedProxies))
})

t.test('the logged config holds no secret', async (t) => {
  const shown = describeConfig('standalone', {
    OPERATOR_TOKEN: 'tttttttttttttttttttt',
    BOOTSTRAP_PERSONAL_API_KEY: 'phx_kkkkkkkkkkkkkkkkkkkk',
    DATABASE_URL: 'postgres://u:p@ss@db:5432/x?password=hidden',
    NATS_URL: 'nats://token@a:4222,nats://u:secret@b:4222',
  })
  t.equal(shown.OPERATOR_TOKEN, '***')
  t.equal(shown.BOOTSTRAP_PERSONAL_API_KEY, '***')
  t.equal(shown.DATABASE_URL, 'postgres://***@db:5432/x?***')
  t.equal(shown.NATS_URL, 'nats://***@a:4222,nats://***@b:4222')
  t.equal(shown.PORT, '8000')
  t.strictSame(Object.keys(shown), [...settingKeysOf('standalone')])
})

t.test('a terminal is shown what differs from the defaults, without secrets', async (t) => {
  t.strictSame(describeChanged('standalone', {}), {})
  const env = { PORT: '9000', GRPC_PORT: ' 8001 ', HOST: '', OPERATOR_TOKEN: 't'.repeat(20) }
  t.strictSame(describeChanged('standalone', env), { PORT: '9000', OPERATOR_TOKEN: '***' })
  t.strictSame(describeChanged('worker', env), { OPERATOR_TOKEN: '***' })
})

t.test('NO_COLOR and a dumb terminal get no colours', async (t) => {
  t.ok(allowsColors({ TERM: 'xterm' }))
  t.ok(allowsColors({ NO_COLOR: '' }))
  t.notOk(allowsColors({ NO_COLOR: '1' }))
  t.notOk(allowsColors({ TERM: 'dumb' }))
})

t.test('masking leaves no password of any URL', async (t) => {
  const password = fc.stringMatching(/^[A-Za-z0-9@:/?#,]{6,20}$/)
  fc.assert(
    fc.property(password, (secret) => {
      const masked = maskPasswords(`postgres://user:${secret}@host/db`)
      // A secret may happen to be a piece of what is left.
      t.notOk(masked.replace('://***@host/db', '').includes(secret))
    }),
  )
})

t.test('any text gives settings or sentences, never an exception', async () => {
  const env = fc.dictionary(fc.constantFrom(...settingKeys), fc.string())
  fc.assert(
    fc.property(env, fc.constantFrom<Role>('standalone', 'gateway', 'worker'), (values, role) => {
      const result = readConfig(role, values, machine)
      return result.ok || result.error.every((problem) => problem.length > 10)
    }),
  )
})

t.test('the help of a role has its settings and no others', async (t) => {
  const shown = (reader: Parameters<typeof settingsHelp>[0]) =>
    [...settingsHelp(reader).matchAll(/^ {2}([A-Z_]+)/gm)].map(([, key]) => key)
  t.strictSame(shown('standalone'), [...settingKeys], 'it is everything in one process')
  t.strictSame(shown('postgres'), ['ADMIN_PORT', 'DATA_DIR', 'LOG_LEVEL', 'SHUTDOWN_DEADLINE_MS'])
  const gateway = shown('gateway')
  for (const key of ['PORT', 'NATS_URL', 'TRUSTED_PROXIES']) t.ok(gateway.includes(key), key)
  for (const key of ['DATABASE_URL', 'SMTP_URL', 'PLUGIN_FETCH', 'BOOTSTRAP_EMAIL', 'GRPC_PORT']) {
    t.notOk(gateway.includes(key), key)
  }
  const worker = shown('worker')
  for (const key of ['HOST', 'PORT', 'TRUSTED_PROXIES', 'HTTP_SERVER']) {
    t.notOk(worker.includes(key), key)
  }
})

t.test('the operating guide has every setting with its help', async (t) => {
  const guide = await readFile(join(packageRoot, 'docs', 'OPERATING.md'), 'utf8')
  for (const key of settingKeys) {
    const row = guide.split('\n').find((line) => line.startsWith(`| \`${key}\` |`))
    t.ok(row?.endsWith(`| ${SETTINGS[key].help} |`), key)
  }
})

t.test('the guide for the internet names settings that are there', async (t) => {
  const guide = await readFile(join(packageRoot, 'docs', 'INTERNET.md'), 'utf8')
  const named = [...guide.matchAll(/`([A-Z]+_[A-Z_]+|HOST|PORT)\b/g)].map(([, name]) => name ?? '')
  const known = new Set(Object.keys(SETTINGS))
  t.ok(named.length > 10)
  t.strictSame(
    named.filter((name) => !known.has(name)),
    [],
  )
})
