/** The snippets of the first run page, held to those that `test/clients` runs. */
import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { runInNewContext } from 'node:vm'
import t from 'tap'
import { snippetsOf } from '../../../gateway/console/pages/start/snippets.ts'
import { packageRoot } from '../../../src/core/package-root.ts'

const [HOST, KEY] = ['http://localhost:8000', 'phc_your_project_key']

/** Lines of the one that runs, by the id of the snippet. */
const RUN = {
  html: 'sluice-js.html',
  js: 'posthog-js.mjs',
  node: 'posthog-node.mjs',
  python: 'posthog-python.py',
  segment: 'segment-analytics-node.mjs',
} as const

function linesOf(text: string): readonly string[] {
  return text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')
}

function textOf(id: string, host = HOST, key = KEY): string {
  const found = snippetsOf(host, key).find((each) => each.id === id)
  if (found === undefined) throw new Error(`no snippet ${id}`)
  return found.text
}

t.test('each line is one of a snippet that is run, in its order', (t) => {
  for (const [id, file] of Object.entries(RUN)) {
    const all = linesOf(readFileSync(join(packageRoot, 'test/clients/snippets', file), 'utf8'))
    let at = 0
    for (const line of linesOf(textOf(id))) {
      const found = all.indexOf(line, at)
      t.ok(found >= at, `${id}: ${line}`)
      at = found + 1
    }
  }
  t.strictSame(
    Object.keys(RUN).concat('curl'),
    snippetsOf(HOST, KEY).map(({ id }) => id),
  )
  t.end()
})

t.test('whatever the key holds, it reaches the library and the shell as it is', (t) => {
  const key = `phc_it's\\"$(id)</script>\``
  const line = textOf('curl', HOST, key)
  const { stdout } = spawnSync('sh', ['-c', `curl() { printf '%s\\0' "$@"; }\n${line}`])
  const [url, , , , body = ''] = String(stdout).split('\0')
  t.equal(url, `${HOST}/capture/`)
  t.match(JSON.parse(body), { api_key: key })
  const given: unknown[] = []
  const posthog = { init: (...all: unknown[]) => given.push(...all), identify() {}, capture() {} }
  runInNewContext(textOf('js', HOST, key).replace(/^import.*$/m, ''), { posthog })
  t.match(given, [key, { api_host: HOST }])
  const attribute = key.replaceAll('"', '&quot;').replaceAll('<', '&lt;')
  t.match(textOf('html', HOST, key), ` data-key="${attribute}">`)
  t.end()
})
