// Packages that are installed apart, into a cache: each must have the hash that this repository names.
import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { root, say } from './ensure.mjs'

/**
 * Unpacks a package without its dependencies and without running its scripts. Ends the process with a
 * message when it cannot be had or is another one.
 * @param integrity as a lock file has it.
 * @param leaveOut a pattern of files that are not needed.
 * @param namedBy the file that says what the package must be.
 */
export function unpackPackage({ spec, integrity, to, leaveOut = '', namedBy }) {
  const packed = join(dirname(to), 'packed')
  mkdirSync(packed, { recursive: true })
  const file = npm(['pack', spec, '--silent', '--pack-destination', packed], root).trim()
  const path = join(packed, basename(file.split('\n').at(-1)))
  const [algorithm, expected] = integrity.split(/-(.*)/s)
  if (hashOf(readFileSync(path), algorithm, 'base64') !== expected) {
    fail(`${spec} is not the package that ${namedBy} names`)
  }
  rmSync(to, { recursive: true, force: true })
  mkdirSync(to, { recursive: true })
  const without = leaveOut === '' ? [] : [`--exclude=${leaveOut}`]
  run('tar', ['-xzf', path, '-C', to, '--strip-components=1', ...without], root)
  writeFileSync(join(to, '.stamp'), integrity)
  rmSync(path)
}

/** Stamp of the last installation into a folder; `undefined` when none is complete. */
export function stampOf(folder) {
  const path = join(folder, '.stamp')
  return existsSync(path) ? readFileSync(path, 'utf8') : undefined
}

export function hashOf(bytes, algorithm, encoding = 'hex') {
  return createHash(algorithm).update(bytes).digest(encoding)
}

/** Runs npm and gives what it printed. Ends the process when it fails. */
export function npm(args, cwd) {
  const path = process.env.npm_execpath
  return path?.endsWith('.js') ? run(process.execPath, [path, ...args], cwd) : run('npm', args, cwd)
}

function run(command, args, cwd) {
  const { status, stdout, error } = spawnSync(command, args, {
    cwd,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 2],
  })
  if (status !== 0) fail(`${command} ${args[0]} failed (${error?.message ?? status})`)
  return stdout
}

function fail(text) {
  say(text)
  process.exit(1)
}
