// Transpiles the tests and the sources they reach once, so that no process of a run does it again.
// The tree keeps the package's shape below `node_modules/.cache/sluice/test-build/tree`: no file of
// the package but TypeScript is in it, those are found at `packageRoot`. Only what changed since the
// last time is made.
import { createHash } from 'node:crypto'
import { readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { ensureContractFiles } from '../contract.mjs'
import { root } from '../ensure.mjs'
import { sourcesOf, transpile, twinOf } from '../transpile.mjs'
import { buildFastCheck, buildTap } from './tap-build.mjs'
import { buildThreads } from './thread-build.mjs'

const FOLDERS = ['src', 'gateway', 'cluster', 'proto/gen', 'bench', 'examples', 'test', 'scripts']
const OUT = join(root, 'node_modules', '.cache', 'sluice', 'test-build')
const TREE = join(OUT, 'tree')
const MANIFEST = join(OUT, 'manifest.json')
const HERE = join(root, 'scripts', 'testing')
const TAP_STAMP = join(OUT, 'tap.stamp')
const THREADS_STAMP = join(OUT, 'threads.stamp')
const TAP_INPUTS = ['tap-build.mjs', 'tap-module.mjs', 'stray-errors.mjs', 'fixed-seed.mjs']
/** Modules that import files of the build, and are copied beside it. */
const IN_PROCESS = [
  ...['shared-files.mjs', 'process-state.mjs', 'batched-output.mjs', 'processor-time.mjs'],
]
/** The program of a process that many files share. */
export const SHARED_FILES = join(OUT, 'shared-files.mjs')

/** Where the transpiled twin of a source is. */
export function builtPath(path) {
  return twinOf(path, TREE)
}

/** Brings the tree up to date; resolves with the files that each source imports. */
export async function buildTests() {
  ensureContractFiles()
  const known = readManifest()
  const manifest = {}
  for (const path of sourcesOf(FOLDERS)) {
    const hash = hashOf(readFileSync(join(root, path)))
    manifest[path] = known[path]?.hash === hash ? known[path] : { hash }
  }
  const changed = Object.keys(manifest).filter((path) => manifest[path].imports === undefined)
  const [imports] = await Promise.all([
    transpile(changed, TREE, { sourcesContent: false }),
    ensureTap(),
  ])
  await ensureThreads(manifest)
  for (const path of changed) manifest[path].imports = imports.get(path)
  for (const path of Object.keys(known)) {
    if (manifest[path] !== undefined) continue
    for (const file of [builtPath(path), `${builtPath(path)}.map`]) rmSync(file, { force: true })
  }
  for (const name of IN_PROCESS) put(join(OUT, name), readFileSync(join(HERE, name), 'utf8'))
  // Nearer than the package's own, which a search from below `node_modules` does not reach.
  put(join(OUT, 'package.json'), '{"type":"module"}\n')
  put(MANIFEST, JSON.stringify(manifest))
  return new Map(Object.entries(manifest).map(([path, { imports }]) => [path, imports]))
}

async function ensureTap() {
  const inputs = TAP_INPUTS.map((name) => readFileSync(join(HERE, name)))
  const version = readFileSync(join(root, 'node_modules', 'tap', 'package.json'))
  const stamp = hashOf(...inputs, version)
  if (readOr(TAP_STAMP, '') === stamp) return
  await buildTap(OUT)
  buildFastCheck(OUT)
  writeFileSync(TAP_STAMP, stamp)
}

/** Any source may be a part of them, and transpiling has put back the twin of a script that changed. */
async function ensureThreads(manifest) {
  const own = readFileSync(join(HERE, 'thread-build.mjs'))
  const stamp = hashOf(own, ...Object.values(manifest).map(({ hash }) => hash))
  if (readOr(THREADS_STAMP, '') === stamp) return
  await buildThreads(TREE)
  writeFileSync(THREADS_STAMP, stamp)
}

/** Writes by renaming: a run within a run does this too, while others load these files. */
function put(path, text) {
  if (readOr(path, undefined) === text) return
  const staged = `${path}.${process.pid}`
  writeFileSync(staged, text)
  renameSync(staged, path)
}

function readManifest() {
  try {
    return JSON.parse(readOr(MANIFEST, '{}'))
  } catch {
    return {} // Cut short by a run that was ended: everything is made again.
  }
}

function readOr(path, otherwise) {
  try {
    return readFileSync(path, 'utf8')
  } catch (error) {
    if (error.code === 'ENOENT') return otherwise
    throw error
  }
}

function hashOf(...inputs) {
  const hash = createHash('sha256')
  for (const input of inputs) hash.update(input).update('\0')
  return hash.digest('hex')
}
