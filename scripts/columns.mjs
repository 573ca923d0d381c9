// Installs the engine of the column store for tests into a cache, from the lock file of
// test/columns/engine. It takes 550 MB, so nothing but the tests of test/columns asks for it.
import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { root, say } from './ensure.mjs'
import { hashOf, npm, stampOf } from './packages.mjs'

const manifest = join(root, 'test', 'columns', 'engine')
const cache = join(root, 'node_modules', '.cache', 'sluice', 'columns')

/** Ends the process with a message when it cannot be installed. */
export function ensureColumnEngine() {
  const stamp = hashOf(readFileSync(join(manifest, 'package-lock.json')), 'sha256')
  if (stampOf(cache) === stamp) return
  say('installing the engine of the column store (550 MB)')
  rmSync(cache, { recursive: true, force: true })
  mkdirSync(cache, { recursive: true })
  for (const file of ['package.json', 'package-lock.json'])
    cpSync(join(manifest, file), join(cache, file))
  npm(['ci', '--ignore-scripts', '--no-audit', '--no-fund'], cache)
  writeFileSync(join(cache, '.stamp'), stamp)
}

/** The command that runs it on a port of loopback, data in `folder`. Its user has no password. */
export function columnEngineCommand(folder, port) {
  mkdirSync(folder, { recursive: true })
  const script = join(root, 'test', 'support', 'columns', 'engine-child.ts')
  return [process.execPath, '--import', 'tsx', script, cache, folder, String(port)]
}
