/**
 * Adds new parts of the contract to the record that `test/unit/scripts/contract-lines.test.ts`
 * compares with. Recorded lines are never removed. `--check` fails when a part is not recorded.
 */
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { CONTRACT_RECORD, contractLines } from './api/contract-lines.ts'

const recorded = existsSync(CONTRACT_RECORD)
  ? readFileSync(CONTRACT_RECORD, 'utf8').trimEnd().split('\n')
  : []
const missing = contractLines().filter((line) => !recorded.includes(line))
if (process.argv.includes('--check')) {
  if (missing.length > 0) {
    process.stderr.write(`the contract is not recorded, run "npm run gen": ${missing.join(', ')}\n`)
    process.exitCode = 1
  }
} else if (missing.length > 0) {
  writeFileSync(CONTRACT_RECORD, `${[...recorded, ...missing].sort().join('\n')}\n`)
}
