// Builds `dist`: the files of the contract if it has changed, then the product as a bundle, the console,
// and the client that the gateway serves as the modules that it is. A build that is interrupted or fails leaves no
// stamp, and the next start builds again.
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { ensureContractFiles } from './contract.mjs'
import { ensureInstalled, ensureNode, root, sourceStamp, writeStamp } from './ensure.mjs'

/** `/api/client` serves the files of this folder. */
const SERVED = 'gateway/client'

ensureNode()
await ensureInstalled({ dev: true })
ensureContractFiles()
// These need packages that may have been missing when this file was loaded.
const { sourcesOf, transpile } = await import('./transpile.mjs')
const { bundle } = await import('./bundle.mjs')
const { bundleConsole } = await import('./bundle-console.mjs')

// Taken before the build: a file that is saved meanwhile makes the build stale.
const stamp = sourceStamp()
const dist = join(root, 'dist')
// Files of deleted sources would stay and be found by imports.
rmSync(dist, { recursive: true, force: true })
await bundle(dist)
await bundleConsole(dist)
await transpile(sourcesOf([SERVED]), dist, { sourcesContent: true })
writeStamp(stamp)
