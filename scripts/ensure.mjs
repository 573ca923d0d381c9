// Prepares a clone: it installs packages and builds what is missing or stale. It needs only Node,
// prints nothing unless it works, and prints only to standard error.
import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'

export const root = fileURLToPath(new URL('..', import.meta.url))

const NODE_MIN = [20, 11]
const stampPath = join(root, 'dist', '.stamp')
/** The inputs of the build. */
const buildInputs = [
  'src',
  'gateway',
  'cluster',
  'proto/google',
  'proto/sluice',
  'bench',
  'package-lock.json',
  'tsconfig.json',
  'scripts/api',
  'scripts/gen-api.ts',
  'scripts/build.mjs',
  'scripts/contract.mjs',
  'scripts/bundle.mjs',
  'scripts/bundle-console.mjs',
  'scripts/console-files.mjs',
  'scripts/transpile.mjs',
  'scripts/world-map.mjs',
]

/** Ends the process with a message when Node is too old. */
export function ensureNode() {
  const [major = 0, minor = 0] = process.versions.node.split('.').map(Number)
  if (major > NODE_MIN[0] || (major === NODE_MIN[0] && minor >= NODE_MIN[1])) return
  say(`Node ${NODE_MIN.join('.')} or newer is needed, this is ${process.versions.node}`)
  process.exit(1)
}

/** Runs `npm ci` unless the installed packages are those of the lock file. */
export async function ensureInstalled({ dev }) {
  const missing = missingPackage(dev)
  if (missing === undefined) return
  say(`installing packages (${missing})`)
  const npm = process.env.npm_execpath?.endsWith('.js')
    ? [process.execPath, process.env.npm_execpath]
    : ['npm']
  const options = ['--include=dev', '--include=optional', '--no-audit', '--no-fund']
  await run([...npm, 'ci', ...options], 'npm ci failed')
}

/** Builds `dist` unless it is newer than every change of the sources. */
export async function ensureBuilt() {
  if (existsSync(stampPath) && readFileSync(stampPath, 'utf8') === sourceStamp()) return
  await ensureInstalled({ dev: true })
  say('building')
  await run([process.execPath, join(root, 'scripts', 'build.mjs')], 'the build failed')
}

/** Records the inputs of `dist`. It is the last step of a build. */
export function writeStamp(stamp) {
  writeFileSync(stampPath, stamp)
}

/**
 * A hash of every input of the build. Times are no measure: clones, copies and images set them
 * anew.
 */
export function sourceStamp() {
  const hash = createHash('sha256')
  for (const input of buildInputs) {
    for (const path of filesIn(join(root, input))) {
      hash
        .update(`${relative(root, path)}\0`)
        .update(readFileSync(path))
        .update('\0')
    }
  }
  return hash.digest('hex')
}

/** Runs a program with its output on our standard error. Ends this process when it fails. */
export async function run([command, ...args], failure) {
  const child = spawn(command, args, { cwd: root, stdio: ['ignore', 2, 2] })
  const stop = (signal) => child.kill(signal)
  process.on('SIGTERM', stop).on('SIGINT', stop)
  const outcome = await new Promise((resolve) => {
    child.on('error', (error) => resolve(error.message))
    child.on('close', (code, signal) => resolve(signal ?? code))
  })
  process.off('SIGTERM', stop).off('SIGINT', stop)
  if (outcome === 0) return
  say(`${failure} (${outcome})`)
  process.exit(1)
}

export function say(text) {
  process.stderr.write(`sluice: ${text}\n`)
}

/**
 * Why packages must be installed; `undefined` when they are complete. Optional packages may be
 * missing, because they are for other platforms. npm writes its own lock file last, so an
 * interrupted install has none.
 */
function missingPackage(dev) {
  const wanted = readLock(join(root, 'package-lock.json'))
  const installed = readLock(join(root, 'node_modules', '.package-lock.json'))
  if (wanted === undefined) return undefined
  if (installed === undefined) return 'none are installed'
  for (const [path, entry] of Object.entries(wanted)) {
    if (path === '' || entry.link || (entry.dev && !dev)) continue
    const present = installed[path]
    const absent = present === undefined || !existsSync(join(root, path))
    if (absent && (entry.optional || entry.devOptional || entry.peer)) continue
    if (absent) return `${path} is missing`
    if (present.version !== entry.version) return `${path} is not ${entry.version}`
  }
  return undefined
}

function readLock(path) {
  if (!existsSync(path)) return undefined
  try {
    return JSON.parse(readFileSync(path, 'utf8')).packages
  } catch {
    return undefined // Cut short: the same as none.
  }
}

/** Every file below a folder, or the file itself, in order of names. */
export function filesIn(path) {
  if (!existsSync(path)) return []
  let entries
  try {
    entries = readdirSync(path, { withFileTypes: true })
  } catch (error) {
    if (error.code === 'ENOTDIR') return [path]
    throw error
  }
  entries.sort((a, b) => (a.name < b.name ? -1 : 1))
  return entries
    .filter(({ name }) => name !== 'node_modules')
    .flatMap((entry) => filesIn(join(path, entry.name)))
}
