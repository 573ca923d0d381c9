/**
 * Generates `scripts/api/call-errors.json` from the cases in `test/api`. `--check` fails when the
 * committed file is stale.
 */
import { readFileSync, writeFileSync } from 'node:fs'
import { isObject } from '../src/core/json.ts'
import { readFamilies } from '../test/api/support/families.ts'
import { callErrorsPath } from './api/call-errors.ts'

const found = new Map<string, Set<string>>()
for (const { endpoint, expect, verb } of (await readFamilies()).flatMap(({ cases }) => cases)) {
  const code = isObject(expect.body) ? expect.body['code'] : undefined
  if (typeof code !== 'string' || expect.status < 400 || verb !== undefined) continue
  const key = `${endpoint}|${expect.status}`
  found.set(key, (found.get(key) ?? new Set()).add(code))
}

const errors: Record<string, Record<string, readonly string[]>> = {}
for (const key of [...found.keys()].sort()) {
  const [endpoint = '', status = ''] = key.split('|')
  const own = errors[endpoint] ?? {}
  own[status] = [...(found.get(key) ?? [])].sort()
  errors[endpoint] = own
}

const text = `${JSON.stringify(errors, null, 2)}\n`
const isStale = readFileSync(callErrorsPath, 'utf8') !== text
if (isStale && process.argv.includes('--check')) {
  process.stderr.write('scripts/api/call-errors.json is stale, run "npm run gen"\n')
  process.exitCode = 1
} else if (isStale) {
  writeFileSync(callErrorsPath, text)
}
