// Builds `dist`: generated types if the protos have changed, then JavaScript of every source. A
// build that is interrupted or fails leaves no stamp, and the next start builds again.
import { spawnSync } from 'node:child_process'
import { existsSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { ensureInstalled, ensureNode, root, run, sourceStamp, writeStamp } from './ensure.mjs'

const FOLDERS = ['src', 'gateway', 'cluster', 'proto/gen', 'bench']

ensureNode()
await ensureInstalled({ dev: true })
// Needs packages that may have been missing when this file was loaded.
const { sourcesOf, transpile } = await import('./transpile.mjs')

const generator = join(root, 'scripts', 'gen.mjs')
if (existsSync(generator)) {
  const fresh = spawnSync(process.execPath, [generator, '--build', '--check'], { cwd: root })
  if (fresh.status !== 0) {
    await run([process.execPath, generator, '--build'], 'generating types failed')
  }
}

// Taken before the build: a file that is saved meanwhile makes the build stale.
const stamp = sourceStamp()
const dist = join(root, 'dist')
// Files of deleted sources would stay and be found by imports.
rmSync(dist, { recursive: true, force: true })
await transpile(sourcesOf(FOLDERS), dist, { sourcesContent: true })
writeStamp(stamp)
