import { mkdirSync, readdirSync, readFileSync, statSync, symlinkSync } from 'node:fs'
import { dirname, join } from 'node:path'
import t, { type Test } from 'tap'
import { createDocuments } from '../../../gateway/rest/documents.ts'
import { readConfig } from '../../../src/core/config/config.ts'
import { SETTINGS } from '../../../src/core/config/settings.ts'
import { listenProblem } from '../../../src/core/config/tls-settings.ts'
import { createMetrics } from '../../../src/core/metrics/metrics.ts'
import { packageRoot } from '../../../src/core/package-root.ts'

/** Metrics and settings in files that operators import: nothing else would notice a wrong name. */

const text = (path: string) => readFileSync(join(packageRoot, path), 'utf8')

function sourcesBelow(folder: string): string[] {
  return readdirSync(join(packageRoot, folder)).flatMap((name) => {
    const path = `${folder}/${name}`
    if (statSync(join(packageRoot, path)).isDirectory()) return sourcesBelow(path)
    return path.endsWith('.ts') ? [path] : []
  })
}

type Registered = { readonly isHistogram: boolean; readonly labels: ReadonlySet<string> }

const LABELS_OF_PROMETHEUS = ['cluster', 'instance', 'job', 'le']

/** By name, read from the calls that register them: `counter('sluice_…', help, ['label'])`. */
function registeredMetrics(): ReadonlyMap<string, Registered> {
  const found = new Map<string, Registered>()
  for (const path of ['src', 'gateway', 'cluster'].flatMap(sourcesBelow)) {
    const source = text(path)
    for (const { 1: call, 2: name, index } of source.matchAll(/(\w+)\(\s*'(sluice_[a-z_]+)'/g)) {
      if (call === undefined || name === undefined) continue
      const [own = ''] = source.slice(index + call.length + name.length + 3).split("'sluice_")
      const [, list = ''] = /^[^[\]{}=]*\[((?:'[a-z_]+'(?:, )?)+)\]/.exec(own) ?? []
      const labels = new Set([...list.matchAll(/[a-z_]+/g)].map(([label]) => label))
      found.set(name, { isHistogram: call === 'seconds', labels })
    }
  }
  return found
}

const registered = registeredMetrics()
const WORDS = new Set(['by', 'on', 'and', 'or', 'without', 'ignoring', 'group_left', 'le'])

/** Names of metrics in an expression of PromQL, and the labels that it uses. */
function namesIn(expression: string): { metrics: Set<string>; labels: Set<string> } {
  const labels = new Set<string>()
  const bare = expression
    .replace(/\{([^}]*)\}/g, (_, matchers: string) => {
      for (const [, label = ''] of matchers.matchAll(/(\w+)\s*[=!]/g)) labels.add(label)
      return ' '
    })
    .replace(/\b(?:by|on|without|ignoring)\s*\(([^)]*)\)/g, (_, list: string) => {
      for (const [label] of list.matchAll(/\w+/g)) labels.add(label)
      return ' '
    })
    .replace(/\[[^\]]*\]/g, ' ')
  const metrics = new Set<string>()
  for (const [, name = ''] of bare.matchAll(/\b([a-z_][\w:]*)\b(?!\s*\()/gi)) {
    if (!WORDS.has(name) && !/^e\d+$/.test(name)) metrics.add(name)
  }
  return { metrics, labels }
}

function histogramOf(name: string): string | undefined {
  const base = name.replace(/_(?:bucket|sum|count)$/, '')
  return base !== name && registered.get(base)?.isHistogram === true ? base : undefined
}

/** Metrics of every process. */
const { body: ofProcesses } = await createMetrics().text()

function checkExpression(t: Test, where: string, expression: string): void {
  const { metrics, labels } = namesIn(expression)
  t.ok(metrics.size > 0, `${where} looks at something`)
  const known = new Set(LABELS_OF_PROMETHEUS)
  for (const name of metrics) {
    if (!name.startsWith('sluice_')) {
      const base = name.replace(/_(?:bucket|sum|count)$/, '')
      t.ok(name === 'up' || ofProcesses.includes(`# TYPE ${base} `), `${where}: ${name}`)
      continue
    }
    const histogram = histogramOf(name)
    const metric = registered.get(histogram ?? name)
    t.ok(metric !== undefined, `${where}: ${name} is registered`)
    t.equal(metric?.isHistogram, histogram !== undefined, `${where}: ${name} has such series`)
    for (const label of metric?.labels ?? []) known.add(label)
  }
  for (const label of labels) t.ok(known.has(label), `${where}: label ${label}`)
}

type Alert = { readonly name: string; readonly fields: ReadonlyMap<string, string> }

/** The file is written in one shape, and this reads no other. */
function readAlerts(yaml: string): readonly Alert[] {
  return yaml
    .split(/^ {6}- alert: /m)
    .slice(1)
    .map((block) => {
      const [name = '', ...lines] = block.split('\n')
      const fields = new Map<string, string>()
      let key = ''
      for (const line of lines) {
        const [, found, value = ''] = /^ {8,10}(\w+): ?(.*)$/.exec(line) ?? []
        if (found !== undefined && !(key === 'expr' && /^ {10}/.test(line))) {
          key = found
          fields.set(key, value === '|' ? '' : value)
        } else if (key === 'expr') {
          fields.set(key, `${fields.get(key)} ${line.trim()}`)
        }
      }
      return { name, fields }
    })
}

const alerts = readAlerts(text('deploy/prometheus/alerts.yaml'))

t.test('names in an expression are told from labels, functions and words', async (t) => {
  const { metrics, labels } = namesIn(
    'sum by (cluster, le) (rate(a_bucket{route!~"api|other", status=~"5.."}[5m])) > 0.5 * b or c > 8e8',
  )
  t.same([...metrics], ['a_bucket', 'b', 'c'])
  t.same([...labels].sort(), ['cluster', 'le', 'route', 'status'])
  t.same([...(registered.get('sluice_http_requests_total')?.labels ?? [])], ['route', 'status'])
  t.equal(registered.get('sluice_http_request_seconds')?.isHistogram, true)
})

t.test('alarms look at metrics that there are', async (t) => {
  t.ok(alerts.length >= 25, `${alerts.length} alarms`)
  for (const { name, fields } of alerts) checkExpression(t, name, fields.get('expr') ?? '')
})

t.test('each alarm says what it means and what to do, in OPERATING too', async (t) => {
  const operating = text('docs/OPERATING.md')
  t.match(operating, /^## Alarms$/m, 'where the alarms link to')
  const rows = new Map(
    [...operating.matchAll(/^\| `(Sluice\w+)`( \*\*now\*\*)? \| (.+) \| (.+) \|$/gm)].map(
      ([, name = '', now = '']) => [name, now !== ''],
    ),
  )
  t.same(
    [...rows.keys()],
    alerts.map(({ name }) => name),
    'one row each, in this order',
  )
  for (const { name, fields } of alerts) {
    for (const field of ['summary', 'meaning', 'action']) {
      t.match(fields.get(field), /^'.{10,}'$/, `${name}: ${field}`)
    }
    t.match(fields.get('for'), /^\d+[mhs]$/, `${name}: for`)
    t.match(fields.get('labels'), /^\{ severity: (?:critical|warning) \}$/, `${name}: severity`)
    t.equal(fields.get('labels')?.includes('critical'), rows.get(name), `${name}: now`)
    t.equal(fields.get('runbook'), 'docs/OPERATING.md#alarms', name)
  }
})

t.test('the example of Prometheus loads the alarms and has the labels they need', async (t) => {
  const lines = text('deploy/prometheus/prometheus.yaml').split('\n')
  t.ok(lines.includes('  - alerts.yaml'))
  const jobs = lines.flatMap((line) => /^ {2}- job_name: (.+)$/.exec(line)?.[1] ?? [])
  t.same(jobs, ['sluice-worker', 'sluice-gateway'])
  t.equal(lines.filter((line) => line === '        labels: { cluster: sluice }').length, 2)
})

type Panel = {
  readonly id: number
  readonly type: string
  readonly title: string
  readonly gridPos: {
    readonly h: number
    readonly w: number
    readonly x: number
    readonly y: number
  }
  readonly targets?: readonly { readonly refId: string; readonly expr: string }[]
}
type Dashboard = {
  readonly panels: readonly Panel[]
  readonly templating: {
    readonly list: readonly { readonly name: string; readonly type: string }[]
  }
}

const dashboard: Dashboard = JSON.parse(text('deploy/grafana/sluice.json'))

t.test('the dashboard looks at metrics that there are, and at all of ours', async (t) => {
  const shown = new Set<string>()
  for (const { title, targets = [] } of dashboard.panels) {
    for (const { expr } of targets) {
      const plain = expr.replaceAll('$__rate_interval', '5m')
      checkExpression(t, title, plain)
      for (const name of namesIn(plain).metrics) shown.add(histogramOf(name) ?? name)
    }
  }
  for (const name of registered.keys()) t.ok(shown.has(name), `${name} is shown`)
})

t.test(
  'the dashboard asks for its data source, and its panels have places of their own',
  async (t) => {
    const variables = dashboard.templating.list.map(({ name, type }) => `${name}: ${type}`)
    t.same(variables, ['datasource: datasource', 'cluster: query', 'instance: query'])
    const { panels } = dashboard
    t.equal(new Set(panels.map(({ id }) => id)).size, panels.length, 'ids are used once')
    const taken = new Set<string>()
    for (const { title, type, gridPos, targets } of panels) {
      t.equal(targets === undefined, type === 'row', `${title} has something to show`)
      t.ok(gridPos.x + gridPos.w <= 24, `${title} fits`)
      for (let x = gridPos.x; x < gridPos.x + gridPos.w; x++) {
        for (let y = gridPos.y; y < gridPos.y + gridPos.h; y++) {
          t.notOk(taken.has(`${x} ${y}`), `${title} at ${x}, ${y}`)
          taken.add(`${x} ${y}`)
        }
      }
    }
  },
)

/** Metrics of systems beside us. */
const FOREIGN =
  /^(?:POSTGRES_(?:USER|DB|PASSWORD)|(?:NATS|REDIS|CLICKHOUSE(?:_ADMIN)?)_PASSWORD|NODE_ENV)$/

function checkSettings(t: Test, path: string, names: readonly string[]): void {
  t.ok(names.length > 0, `${path} names some`)
  for (const name of names) t.ok(FOREIGN.test(name) || name in SETTINGS, `${path}: ${name}`)
}

t.test('compose.yaml and the units name only settings that there are', async (t) => {
  const compose = text('deploy/compose.yaml')
  checkSettings(t, 'compose.yaml', [...compose.matchAll(/^\s+([A-Z][A-Z\d_]+):/gm)].map(nameOf))
  const units = readdirSync(join(packageRoot, 'deploy/systemd'))
  t.equal(units.length, 4)
  for (const unit of [...units.map((name) => `systemd/${name}`), 'compose.env.example']) {
    const content = text(`deploy/${unit}`)
    const assigned = /\.example$/.test(unit)
      ? content.matchAll(/^(?:# ?)?([A-Z][A-Z\d_]+)=/gm)
      : [...content.matchAll(/^Environment=.*$/gm)].flatMap(([line]) => [
          ...line.matchAll(ASSIGNED),
        ])
    const names = [...assigned].map(nameOf)
    checkSettings(t, unit, names)
    const command = /^ExecStart=.* (\w+)$/m.exec(content)?.[1]
    if (unit.endsWith('.service')) t.ok(command === 'worker' || command === 'gateway', unit)
  }
})

t.test('the image and the package hold what a gateway serves', async (t) => {
  const copied = [...text('deploy/Dockerfile').matchAll(/^COPY --from=build .*\/sluice\/(\S+) /gm)]
  const { files } = JSON.parse(text('package.json')) as { files: string[] }
  for (const paths of [copied.map(nameOf), files]) {
    const root = t.testdir()
    for (const path of paths) {
      mkdirSync(dirname(join(root, path)), { recursive: true })
      symlinkSync(join(packageRoot, path), join(root, path))
    }
    t.doesNotThrow(() => createDocuments(root), paths.join(' '))
  }
})

t.test(
  'the container of standalone.yaml keeps its data, is asked whether it can serve',
  async (t) => {
    const compose = text('deploy/standalone.yaml')
    checkSettings(
      t,
      'standalone.yaml',
      [...compose.matchAll(/^\s+([A-Z][A-Z\d_]+):/gm)].map(nameOf),
    )
    const [, folder = ''] = /DATA_DIR=(\S+)/.exec(text('deploy/Dockerfile')) ?? []
    t.match(compose, `- data:${folder}\n`)
    t.match(compose, '/_readyz')
    t.match(compose, /"127\.0\.0\.1:8000:8000"/, 'it is published to this machine alone')
    const [, subnet = ''] = /subnet: ([\d.]+)\.0\/24/.exec(compose) ?? []
    t.match(compose, `TRUSTED_PROXIES: ${subnet}.1\n`, 'the address that the machine has for it')
  },
)

t.test('proxies let through what the gateway takes, and say who asked', async (t) => {
  const nginx = text('deploy/nginx.conf')
  t.match(nginx, 'client_max_body_size 20m;')
  t.match(nginx, 'proxy_set_header X-Forwarded-For $proxy_add_x_forwarded_for;')
  t.match(nginx, 'proxy_set_header Host $http_host;')
  t.match(text('deploy/Caddyfile'), 'reverse_proxy 127.0.0.1:8000')
})

t.test('compose files ask for what their example sets', async (t) => {
  const files = ['deploy/compose.yaml', 'deploy/compose.clickhouse.yaml']
  const asked = [
    ...files
      .map(text)
      .join('')
      .matchAll(/\$\{([A-Z_]+)/g),
  ].map(nameOf)
  const set = [...text('deploy/compose.env.example').matchAll(/^([A-Z_]+)=/gm)].map(nameOf)
  t.same([...new Set(asked)].sort(), [...set].sort())
})

t.test('compose.yaml gives Postgres, NATS and Redis a login each', async (t) => {
  const compose = text('deploy/compose.yaml')
  t.match(compose, /DATABASE_URL: postgres:\/\/sluice:\$\{POSTGRES_PASSWORD:\?[^}]+\}@/)
  t.match(compose, /NATS_URL: nats:\/\/sluice:\$\{NATS_PASSWORD:\?[^}]+\}@/)
  t.match(compose, /REDIS_URL: redis:\/\/:\$\{REDIS_PASSWORD:\?[^}]+\}@/)
  t.match(compose, /printf 'requirepass %s\\n' "\$\$REDIS_PASSWORD" \|\s+exec redis-server -/)
  t.match(
    text('deploy/nats.conf'),
    /^authorization \{\s+user: sluice\s+password: \$NATS_PASSWORD\s/m,
  )
})

t.test('compose.clickhouse.yaml has a login, a version and the grants of the manual', async (t) => {
  const compose = text('deploy/compose.clickhouse.yaml')
  const [, url = ''] = /EVENTS_URL: (\S+?\$\{CLICKHOUSE_PASSWORD)/.exec(compose) ?? []
  t.equal(url, 'http://sluice:${CLICKHOUSE_PASSWORD')
  const [, version = ''] = /image: clickhouse\/clickhouse-server:(\S+)/.exec(compose) ?? []
  t.match(version, /^\d+\.\d+$/, 'a version, and not the newest')
  t.ok(Number(version) >= 24.8, 'which the product takes')
  t.match(compose, /CLICKHOUSE_PASSWORD: \$\{CLICKHOUSE_ADMIN_PASSWORD:\?/)
  const workers = [...text('deploy/compose.yaml').matchAll(/^ {2}(worker-\d): /gm)].map(nameOf)
  const copied = [...compose.matchAll(/^ {2}(worker-\d): \*copied$/gm)].map(nameOf)
  t.strictSame(copied, workers, 'each worker has the copy')
  const user = text('deploy/clickhouse-user.xml')
  const [, variable = ''] = /password from_env="(\w+)"/.exec(user) ?? []
  t.match(compose, `${variable}: \${CLICKHOUSE_PASSWORD:?`)
  t.match(compose, './clickhouse-user.xml:')
  const given = [...user.matchAll(/<query>(grant .*)<\/query>/g)].map(nameOf)
  const manual = text('docs/OPERATING.md')
  const wanted = [...manual.matchAll(/^(grant .* on .*) to sluice;$/gm)].map(nameOf)
  t.ok(given.length > 0)
  t.strictSame(given, wanted)
})

t.test('workers of compose.yaml and of the units may listen', async (t) => {
  const compose = text('deploy/compose.yaml')
  const [, host = ''] = /GRPC_HOST: (\S+)/.exec(compose) ?? []
  const [, plaintext = ''] = /GRPC_PLAINTEXT: "(\w+)"/.exec(compose) ?? []
  const unit = text('deploy/systemd/sluice-worker@.service')
  const [, cert = '', key = ''] = /GRPC_TLS_CERT=(\S+) GRPC_TLS_KEY=(\S+)/.exec(unit) ?? []
  const urls = { DATABASE_URL: 'postgres://db/sluice', NATS_URL: 'nats://n' }
  for (const given of [
    { GRPC_HOST: host, GRPC_PLAINTEXT: plaintext },
    { GRPC_TLS_CERT: cert, GRPC_TLS_KEY: key },
  ]) {
    const config = readConfig('worker', { ...urls, ...given })
    if (!config.ok) throw new Error(config.error.join('; '))
    const { grpc, security } = config.value
    t.equal(listenProblem('worker', grpc.host, security.grpc), undefined, JSON.stringify(given))
  }
})

const ASSIGNED = /(?<=[= ])([A-Z][A-Z\d_]+)=/g

function nameOf(match: RegExpMatchArray): string {
  return match[1] ?? ''
}
