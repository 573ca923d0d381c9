import { spawn } from 'node:child_process'
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { packageRoot } from '../../../src/core/package-root.ts'
import { cleanEnv } from '../../support/servers/clean-env.ts'
import {
  type Product,
  request,
  startStandalone,
  testFolder,
} from '../../support/servers/product.ts'

/** The README's code, run as it stands there but for addresses and keys. */

const readme = readFileSync(join(packageRoot, 'README.md'), 'utf8')

function blockWith(language: string, text: string): string {
  const blocks = [...readme.matchAll(new RegExp(`\`\`\`${language}\\n([\\s\\S]*?)\`\`\``, 'g'))]
  const found = blocks.find(([, code]) => code?.includes(text) === true)?.[1]
  if (found === undefined) throw new Error(`the README has no ${language} block with ${text}`)
  return found
}

function forProduct(code: string, product: Product): string {
  return code
    .replaceAll('127.0.0.1:8000', `127.0.0.1:${product.process.ports.http}`)
    .replaceAll('127.0.0.1:8001', `127.0.0.1:${product.process.ports.grpc}`)
    .replaceAll('<personal API key>', product.personalKey)
    .replaceAll('<project API key>', product.projectKey)
}

/** Runs a module in the project's folder; resolves with its output. */
function run(args: readonly string[]): Promise<{ code: number | null; out: string; err: string }> {
  return new Promise((resolve) => {
    const assignments = Object.entries(cleanEnv()).map(([name, value]) => `${name}=${value}`)
    const child = spawn('env', ['-i', ...assignments, process.execPath, ...args], {
      cwd: packageRoot,
    })
    let out = ''
    let err = ''
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      out += text
    })
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      err += text
    })
    child.on('close', (code) => resolve({ code, out, err }))
  })
}

t.test('examples of the README', async (t) => {
  const product = await startStandalone(t)
  const flags = `${product.url}/api/projects/@current/feature_flags/`
  const made = await request(flags, { key: product.personalKey, body: { key: 'beta' } })
  t.equal(made.status, 201)

  t.test('the gRPC example lists the flags', async (t) => {
    // Below the packages, since a module finds them from where it is.
    const folder = join(packageRoot, 'node_modules', '.cache', 'sluice')
    mkdirSync(folder, { recursive: true })
    const file = join(folder, `example-${process.pid}.ts`)
    t.teardown(() => rmSync(file, { force: true }))
    writeFileSync(file, forProduct(blockWith('ts', 'FeatureFlagService'), product))
    const { code, out, err } = await run(['--import', 'tsx', file])
    t.equal(code, 0, err)
    t.match(out, /^1 \[ 'beta' \]/)
  })

  t.test('the query of docs/QUERYING.md is answered', async (t) => {
    const query = readFileSync(join(packageRoot, 'docs', 'QUERYING.md'), 'utf8')
    const parameters = new URLSearchParams()
    const option = /--data-urlencode (['"])(\w+)=(.*?)\1(?=\s)/g
    for (const [, , name = '', value = ''] of query.matchAll(option)) {
      parameters.append(name, value)
    }
    t.equal(parameters.size, 4)
    const events = ['team', 'team', 'free'].map((plan) => ({
      event: 'paid',
      distinct_id: 'd',
      properties: { plan, amount: 101 },
    }))
    const batch = { api_key: product.projectKey, batch: events }
    t.equal((await request(`${product.url}/batch/`, { body: batch })).status, 200)
    const url = `${product.url}/api/projects/@current/events/?${parameters}`
    const { body } = await request(url, { key: product.personalKey })
    t.match(body, {
      columns: ['properties.plan', 'count()'],
      types: ['String', 'UInt64'],
      results: [
        ['team', 2],
        ['free', 1],
      ],
    })
  })

  t.test('what the instance serves of the client is all that a page needs', async (t) => {
    const folder = testFolder(t)
    const { body } = await request(`${product.url}/api/client/`)
    const { files } = body as { files: string[] }
    for (const name of files.filter((each) => each.endsWith('.js'))) {
      const response = await fetch(`${product.url}/api/client/${name}`)
      t.match(response.headers.get('content-type'), 'text/javascript')
      writeFileSync(join(folder, name), await response.text())
    }
    writeFileSync(join(folder, 'package.json'), '{"type":"module"}')
    const example = forProduct(blockWith('js', '/api/client/index.js'), product)
    const code = example.replace(`${product.url}/api/client/`, './')
    writeFileSync(
      join(folder, 'page.js'),
      `${code}\nconsole.log(count, results[0].key, ApiError.name)\n`,
    )
    const { out, err } = await run([join(folder, 'page.js')])
    t.match(out, /^1 beta ApiError/, err)
  })
})
