/**
 * Adds new parts of the contract to the record that `test/unit/scripts/contract-lines.test.ts`
 * compares with. Recorded lines are never removed.
 */
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { CONTRACT_RECORD, contractLines } from './api/contract-lines.ts'

const recorded = existsSync(CONTRACT_RECORD)
  ? readFileSync(CONTRACT_RECORD, 'utf8').trimEnd().split('\n')
  : []
const missing = contractLines().filter((line) => !recorded.includes(line))
if (missing.length > 0) {
  writeFileSync(CONTRACT_RECORD, `${[...recorded, ...missing].sort().join('\n')}\n`)
}
