// Finds the programs that tests take from the machine. A missing one is installed from Debian's
// packages when this is root. Otherwise the test run ends with the name of the package.
import { spawnSync } from 'node:child_process'
import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { say } from './ensure.mjs'

/** Debian installs servers in folders that are not in the PATH of ordinary users. */
const SERVER_FOLDERS = ['/usr/local/sbin', '/usr/sbin', '/sbin']

/** NATS and Redis for clusters on this machine. */
export function ensureServers() {
  ensureProgram(['nats-server'], 'nats-server')
  ensureProgram(['redis-server'], 'redis-server')
}

/** Program that makes the certificates of tests. */
export function ensureOpenssl() {
  ensureProgram(['openssl'], 'openssl')
}

/** Debian installs each version of Postgres in a folder below this one. */
const POSTGRES_FOLDERS = '/usr/lib/postgresql'

/** The folder of the programs of the machine's own Postgres: the oldest, if there are several. */
function ensurePostgres() {
  const find = () => {
    const versions = existsSync(POSTGRES_FOLDERS) ? readdirSync(POSTGRES_FOLDERS) : []
    const folders = versions
      .sort((a, b) => Number(a) - Number(b))
      .map((version) => join(POSTGRES_FOLDERS, version, 'bin'))
    return folders.find((folder) => existsSync(join(folder, 'initdb')))
  }
  if (find() === undefined) installPackage('postgres', 'postgresql')
  return find() ?? fail(`no Postgres is below ${POSTGRES_FOLDERS}`)
}

/**
 * The environment of tests that run on the machine's own Postgres: it is older than the embedded one, has
 * its own defaults, and is what clusters have. `SLUICE_TEST_POSTGRES` names another folder of programs; when
 * it is empty, tests run on the embedded one.
 */
export function environmentOnOwnPostgres() {
  const folder = process.env.SLUICE_TEST_POSTGRES ?? ensurePostgres()
  say(`Postgres of ${folder === '' ? 'the product' : folder}`)
  return { ...process.env, SLUICE_TEST_POSTGRES: folder }
}

/**
 * Ends the process with a message when none of `names` exists and `debianPackage` cannot be
 * installed.
 */
export function ensureProgram(names, debianPackage) {
  if (!names.some(isOnPath)) installPackage(names[0], debianPackage)
}

function installPackage(program, debianPackage) {
  if (process.getuid?.() !== 0 || !isOnPath('apt-get')) {
    fail(`${program} is missing: install it (Debian: apt-get install ${debianPackage})`)
  }
  say(`installing ${debianPackage}`)
  // A server that its package starts would occupy the port of one that the user runs on purpose.
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
