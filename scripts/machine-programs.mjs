// Programs that tests take from the machine: found on the path, else installed from Debian's packages
// when this is root; otherwise the test run ends with what to install.
import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { say } from './ensure.mjs'

/** Debian keeps servers where the path of ordinary users does not look. */
const SERVER_FOLDERS = ['/usr/local/sbin', '/usr/sbin', '/sbin']

/** NATS and Redis for the tests of a cluster. */
export function ensureServers() {
  ensureProgram(['nats-server'], 'nats-server')
  ensureProgram(['redis-server'], 'redis-server')
}

/** Ends the process with a sentence when none of `names` is there and `debianPackage` cannot be had. */
export function ensureProgram(names, debianPackage) {
  if (names.some(isOnPath)) return
  if (process.getuid?.() !== 0 || !isOnPath('apt-get')) {
    fail(`${names[0]} is missing: install it (Debian: apt-get install ${debianPackage})`)
  }
  say(`installing ${debianPackage}`)
  // A server that its package starts would hold the port of whoever runs one on purpose.
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive', RUNLEVEL: '1' }
  const apt = (args) => spawnSync('apt-get', args, { stdio: ['ignore', 2, 2], env }).status === 0
  const install = ['install', '-y', '--no-install-recommends', debianPackage]
  if (!apt(install) && !(apt(['update']) && apt(install))) {
    fail(`${debianPackage} cannot be installed`)
  }
}

function isOnPath(program) {
  const folders = [...(process.env.PATH ?? '').split(':'), ...SERVER_FOLDERS]
  return folders.some((folder) => folder !== '' && existsSync(join(folder, program)))
}

function fail(text) {
  say(text)
  process.exit(1)
}
