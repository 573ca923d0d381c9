// Makes the files that are generated from proto/sluice and are not in git: proto/gen (typed messages
// and service interfaces), and types.ts, calls.ts and openapi.json of gateway/client.
import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import * as fs from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { filesIn, root } from './ensure.mjs'

const { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } = fs

const TYPES = join(root, 'proto', 'gen')
const CLIENT = ['types.ts', 'calls.ts', 'openapi.json'].map((name) =>
  join(root, 'gateway', 'client', name),
)
/** Hash of the inputs of the last complete run. */
const STAMP = join(TYPES, '.stamp')
const INPUTS = [
  'proto/google',
  'proto/sluice',
  'src/wire',
  'scripts/api',
  'scripts/gen-api.ts',
  'scripts/contract.mjs',
  'package.json',
  'package-lock.json',
]
const LOADER = 'node_modules/@grpc/proto-loader/build/bin/proto-loader-gen-types.js'

/** Generates the files, unless they are those of the present inputs. */
export function ensureContractFiles() {
  const stamp = stampOfInputs()
  const isFresh = existsSync(STAMP) && readFileSync(STAMP, 'utf8') === stamp
  if (isFresh && CLIENT.every((path) => existsSync(path))) return
  // Written beside and renamed: an interrupted run leaves no half of them.
  const staged = `${TYPES}.${process.pid}`
  rmSync(staged, { recursive: true, force: true })
  mkdirSync(staged)
  generateTypes(staged)
  node(['--import', 'tsx', 'scripts/gen-api.ts'])
  writeFileSync(join(staged, '.stamp'), stamp)
  rmSync(TYPES, { recursive: true, force: true })
  renameSync(staged, TYPES)
}

function stampOfInputs() {
  const hash = createHash('sha256')
  for (const path of INPUTS.flatMap((input) => filesIn(join(root, input)))) {
    hash
      .update(`${relative(root, path)}\0`)
      .update(readFileSync(path))
      .update('\0')
  }
  return hash.digest('hex')
}

function generateTypes(out) {
  const protos = readdirSync(join(root, 'proto', 'sluice', 'v1'))
    .filter((name) => name.endsWith('.proto'))
    .sort()
    .map((name) => `sluice/v1/${name}`)
  node([
    LOADER,
    // Before the options: the list option at the end would swallow them.
    ...protos,
    '--keepCase',
    '--longs=Number',
    '--enums=String',
    '--defaults',
    '--grpcLib=@grpc/grpc-js',
    '--targetFileExtension=.ts',
    '--importFileExtension=.ts',
    `--outDir=${out}`,
    `--includeDirs=${join(root, 'proto')}`,
  ])
  for (const path of filesIn(out)) {
    // The package-level files have no user: services are used by their own types.
    if (dirname(path) === out) rmSync(path)
    // The first line has the path of the contract on this machine.
    else writeFileSync(path, readFileSync(path, 'utf8').replace(/^.*\n/, ''))
  }
}

function node(args) {
  const made = spawnSync(process.execPath, args, { cwd: root, encoding: 'utf8' })
  if (made.status === 0) return
  process.stderr.write(made.stdout + made.stderr)
  throw new Error(`generating files from the contract failed (${made.status ?? made.signal})`)
}
