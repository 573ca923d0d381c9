// Installs the client libraries of test/clients into a cache. Node's come by `npm ci` from their
// own lock files, browser bundles as packages without dependencies whose hashes are in
// browser.json. Python's come by pip from the files of python/ if the machine has pip; the suite
// runs without them too.
import { spawnSync } from 'node:child_process'
import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { basename, join } from 'node:path'
import { root, say } from './ensure.mjs'
import { ensureProgram } from './machine-programs.mjs'
import { hashOf, npm, stampOf, unpackPackage } from './packages.mjs'

const manifests = join(root, 'test', 'clients')
const cache = join(root, 'node_modules', '.cache', 'sluice', 'clients')
const CHROMIUM = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable']

/** Ends the process with a message when something cannot be installed. */
export function ensureClients({ older }) {
  for (const set of older ? ['newest', 'older'] : ['newest']) ensureNodeSet(set)
  ensureBrowserBundles(older)
  ensureChromium()
  if (older) ensurePythonSets()
}

function ensureNodeSet(set) {
  const from = join(manifests, set)
  const to = join(cache, set)
  const stamp = hashOf(readFileSync(join(from, 'package-lock.json')), 'sha256')
  if (stampOf(to) === stamp) return
  say(`installing client libraries (${set})`)
  rmSync(to, { recursive: true, force: true })
  mkdirSync(to, { recursive: true })
  for (const file of ['package.json', 'package-lock.json']) cpSync(join(from, file), join(to, file))
  npm(['ci', '--ignore-scripts', '--no-audit', '--no-fund'], to)
  writeFileSync(join(to, '.stamp'), stamp)
}

function ensureBrowserBundles(older) {
  const wanted = JSON.parse(readFileSync(join(manifests, 'browser.json'), 'utf8'))
  // Versions that the newest set does not have are in a set of their own.
  const sets = ['newest', 'imports', ...(older ? ['older'] : [])]
  const missing = sets
    .flatMap((set) => Object.entries(wanted[set]))
    .filter(([spec, integrity]) => stampOf(join(cache, 'browser', spec)) !== integrity)
  if (missing.length === 0) return
  say(`installing browser libraries (${missing.map(([spec]) => spec).join(', ')})`)
  for (const [spec, integrity] of missing) {
    const to = join(cache, 'browser', spec)
    unpackPackage({ spec, integrity, to, leaveOut: '*.map', namedBy: 'test/clients/browser.json' })
  }
}

/** A folder of packages for each file of `python/`. Missing ones are reported, and not required. */
function ensurePythonSets() {
  const from = join(manifests, 'python')
  for (const file of readdirSync(from).sort()) {
    const version = basename(file, '.txt')
    const to = join(cache, 'python', version)
    const stamp = hashOf(readFileSync(join(from, file)), 'sha256')
    if (stampOf(to) === stamp) continue
    say(`installing client libraries (posthog ${version} for Python)`)
    rmSync(to, { recursive: true, force: true })
    mkdirSync(to, { recursive: true })
    const pip = ['-m', 'pip', 'install', '-qq', '--disable-pip-version-check']
    const pinned = ['--no-deps', '--only-binary=:all:', '--require-hashes', '--target', to]
    const args = [...pip, ...pinned, '-r', join(from, file)]
    const { status } = spawnSync('python3', args, { cwd: root, stdio: ['ignore', 2, 2] })
    if (status === 0) writeFileSync(join(to, '.stamp'), stamp)
    else {
      rmSync(to, { recursive: true, force: true })
      say(`posthog ${version} cannot be installed, its recorded requests stand in for it`)
    }
  }
}

/** A browser is part of the machine. Ends the process with a message when it cannot be installed. */
export function ensureChromium() {
  const chosen = process.env.CHROMIUM_PATH ?? ''
  if (chosen === '') return ensureProgram(CHROMIUM, 'chromium')
  if (existsSync(chosen)) return
  say(`CHROMIUM_PATH names ${chosen}, which is not there`)
  process.exit(1)
}
