// Builds `dist`: generated types if the protos have changed, then TypeScript. An interrupted or
// failed build leaves no stamp and is made again by the next start.
import { spawnSync } from 'node:child_process'
import { existsSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { ensureInstalled, ensureNode, root, run, sourceStamp, writeStamp } from './ensure.mjs'

ensureNode()
await ensureInstalled({ dev: true })

const generator = join(root, 'scripts', 'gen.mjs')
if (existsSync(generator)) {
  const fresh = spawnSync(process.execPath, [generator, '--build', '--check'], { cwd: root })
  if (fresh.status !== 0) {
    await run([process.execPath, generator, '--build'], 'generating types failed')
  }
}

// Taken before compiling: a file saved meanwhile makes the build stale, as it is.
const stamp = sourceStamp()
// Files of deleted sources would stay and be found by imports.
rmSync(join(root, 'dist'), { recursive: true, force: true })
const tsc = join(root, 'node_modules', 'typescript', 'bin', 'tsc')
await run([process.execPath, tsc, '-p', 'tsconfig.build.json'], 'TypeScript found errors')
writeStamp(stamp)
