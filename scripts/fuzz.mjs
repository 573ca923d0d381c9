// `npm run fuzz` tries hostile inputs on the product (test/fuzz), a minute for each target. Options:
// `--minutes N` for all targets together, `--target NAME`, `--from N` to begin at a seed, and
// `--seed N` to try the one input of a seed. Failures are kept in test/fuzz/corpus; exits 1 then.
import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { ensureBuilt, ensureInstalled, ensureNode, root } from './ensure.mjs'

ensureNode()
await ensureInstalled({ dev: true })
await ensureBuilt()
const args = ['--import=tsx', join('test', 'fuzz', 'fuzz.ts'), ...process.argv.slice(2)]
const child = spawn(process.execPath, args, { cwd: root, stdio: 'inherit' })
process.exitCode = await new Promise((resolve) => {
  child.on('error', () => resolve(1))
  child.on('close', (code) => resolve(code ?? 1))
})
