// Generates all that is made of something else: what is committed of the cases, the files of the
// contract, which are not in git, documents for reading offline in dist/docs, the picture of the rooms
// and the record of the contract. With `--contract` only the second, which types and editors need.
import { spawnSync } from 'node:child_process'
import { ensureContractFiles } from './contract.mjs'
import { root } from './ensure.mjs'

const isAll = !process.argv.includes('--contract')
if (isAll) run('gen-call-errors')
ensureContractFiles()
if (isAll) run('gen-documents')

function run(name) {
  const args = ['--import', 'tsx', `scripts/${name}.ts`]
  const made = spawnSync(process.execPath, args, { cwd: root, stdio: 'inherit' })
  if (made.status !== 0) process.exit(1)
}
