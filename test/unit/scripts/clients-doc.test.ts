import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { packageRoot } from '../../../src/core/package-root.ts'
import { aliasOf, CLIENTS } from '../../clients/catalogue.ts'
import { DOCUMENTED } from '../../clients/documented.ts'

const read = (...path: string[]) => readFileSync(join(packageRoot, ...path), 'utf8')
const page = read('docs', 'CLIENTS.md')

t.test('the page of clients has a row for every version, and a mark in every cell', async (t) => {
  for (const { name, newest, older } of CLIENTS) {
    for (const version of [newest, ...older]) {
      const row = page.split('\n').find((line) => line.startsWith(`| ${name} | ${version} | `))
      t.ok(row, `${name} ${version}`)
      t.notMatch(row, /\?/, `${name} ${version} was run`)
    }
  }
})

t.test('a red cell says why', async (t) => {
  for (const { name } of CLIENTS) {
    const isRed = page.split('\n').some((line) => line.startsWith(`| ${name} |`) && /✗/.test(line))
    const notes = DOCUMENTED[name]?.notes ?? []
    t.ok(!isRed || notes.length > 0, name)
  }
})

t.test('snippets stand on the page as they are run', async (t) => {
  for (const { name } of CLIENTS) {
    const snippets = DOCUMENTED[name]?.snippets ?? []
    t.not(snippets.length, 0, name)
    for (const file of snippets) {
      const text = read('test', 'clients', 'snippets', file).trim()
      t.ok(page.includes(text), file)
      t.match(text, 'phc_your_project_key', `${file} names the key`)
      t.match(text, 'http://localhost:8000', `${file} names the address`)
    }
  }
})

t.test('the installed versions are those of the catalogue', async (t) => {
  const browser = JSON.parse(read('test', 'clients', 'browser.json'))
  for (const set of ['newest', 'older'] as const) {
    const { dependencies } = JSON.parse(read('test', 'clients', set, 'package.json'))
    const wanted = CLIENTS.flatMap(({ name, home, newest, older }) =>
      (set === 'newest' ? [newest] : older).map((version) => ({ name, home, version })),
    )
    const node = wanted.filter(({ home }) => home === 'node')
    const bundles = wanted.filter(({ home }) => home === 'browser')
    const aliases = node.map(({ name, version }) => [
      aliasOf(name, version),
      `npm:${name}@${version}`,
    ])
    t.strictSame(dependencies, Object.fromEntries(aliases))
    t.strictSame(
      Object.keys(browser[set]).sort(),
      bundles.map(({ name, version }) => `${name}@${version}`).sort(),
    )
  }
})
