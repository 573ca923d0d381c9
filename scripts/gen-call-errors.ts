/** Generates `scripts/api/call-errors.json` from the cases in `test/api`. */
import { writeFileSync } from 'node:fs'
import { readFamilies } from '../test/api/support/families.ts'
import { callErrorsIn, callErrorsPath } from './api/call-errors.ts'

const cases = (await readFamilies()).flatMap((family) => family.cases)
writeFileSync(callErrorsPath, `${JSON.stringify(callErrorsIn(cases), null, 2)}\n`)
