// Generates what is made of proto/sluice: proto/gen (typed messages and service interfaces), then
// the client, the API document and its table; and the picture of the rooms, which is made of the
// imports. `--check` fails when the committed files are stale.
import { spawnSync } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('..', import.meta.url))
const check = process.argv.includes('--check')
const committed = join(root, 'proto', 'gen')
const out = check ? mkdtempSync(join(tmpdir(), 'sluice-gen-')) : committed

const protos = readdirSync(join(root, 'proto', 'sluice', 'v1'))
  .filter((name) => name.endsWith('.proto'))
  .sort()
  .map((name) => `sluice/v1/${name}`)

if (!check) rmSync(committed, { recursive: true, force: true })
const result = spawnSync(
  process.execPath,
  [
    join(
      root,
      'node_modules',
      '@grpc',
      'proto-loader',
      'build',
      'bin',
      'proto-loader-gen-types.js',
    ),
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
  ],
  { cwd: root, encoding: 'utf8' },
)
if (result.status !== 0) {
  process.stderr.write(result.stdout + result.stderr)
  process.exit(1)
}

tidy(out)
if (check) {
  const stale = differences(out, committed)
  rmSync(out, { recursive: true, force: true })
  if (stale.length > 0) {
    process.stderr.write(`proto/gen is stale, run "npm run gen": ${stale.join(', ')}\n`)
    process.exit(1)
  }
}

// Documents are made of the tests and of all sources as well: a build neither needs them nor may
// fail for them.
const generators = process.argv.includes('--build')
  ? ['gen-api.ts']
  : ['gen-call-errors.ts', 'gen-api.ts', 'gen-api-doc.ts', 'gen-rooms.ts', 'gen-contract.ts']
for (const generator of generators) {
  const script = join(root, 'scripts', generator)
  const args = ['--import', 'tsx', script, ...(check ? ['--check'] : [])]
  const made = spawnSync(process.execPath, args, { cwd: root, stdio: 'inherit' })
  if (made.status !== 0) process.exit(1)
}

/** Names of files that exist on one side only or differ. */
function differences(fresh, old) {
  const names = (folder) =>
    readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath ?? entry.path, entry.name).slice(folder.length + 1))
  const all = new Set([...names(fresh), ...names(old)])
  const text = (folder, name) => {
    try {
      return readFileSync(join(folder, name), 'utf8')
    } catch {
      return undefined // Missing on this side, which is a difference.
    }
  }
  return [...all].filter((name) => text(fresh, name) !== text(old, name))
}

/**
 * Takes the absolute path of this checkout out of the headers, and drops the package-level files:
 * services are used by their own types.
 */
function tidy(folder) {
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name)
    if (entry.isDirectory()) tidyFolder(path)
    else rmSync(path)
  }
}

function tidyFolder(folder) {
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue
    const path = join(entry.parentPath ?? entry.path, entry.name)
    const text = readFileSync(path, 'utf8')
    writeFileSync(
      path,
      text.replace(/^\/\/ Original file: .*?(proto|null)(\/.*)?$/m, '// From $1$2'),
    )
  }
}
