/**
 * Codes of failures that the cases of `test/api` show of each call. `npm run gen` keeps them in
 * `call-errors.json`, because a build has no tests.
 */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { isObject } from '../../src/core/json.ts'
import { packageRoot } from '../../src/core/package-root.ts'
import type { ApiCase } from '../../test/api/support/case.ts'

/** Endpoint to status to codes, each in alphabetical order. */
export type CallErrors = Readonly<Record<string, Readonly<Record<string, readonly string[]>>>>

export const callErrorsPath: string = join(packageRoot, 'scripts', 'api', 'call-errors.json')

let read: CallErrors | undefined

export function callErrors(): CallErrors {
  read ??= JSON.parse(readFileSync(callErrorsPath, 'utf8')) as CallErrors
  return read
}

/** The codes that the cases show, as they are recorded. */
export function callErrorsIn(cases: readonly ApiCase[]): CallErrors {
  const found = new Map<string, Set<string>>()
  for (const { endpoint, expect, verb } of cases) {
    const code = isObject(expect.body) ? expect.body['code'] : undefined
    if (typeof code !== 'string' || expect.status < 400 || verb !== undefined) continue
    const key = `${endpoint}|${expect.status}`
    found.set(key, (found.get(key) ?? new Set()).add(code))
  }
  const errors: Record<string, Record<string, readonly string[]>> = {}
  for (const [key, codes] of [...found].sort(([a], [b]) => (a < b ? -1 : 1))) {
    const [endpoint = '', status = ''] = key.split('|')
    errors[endpoint] = { ...errors[endpoint], [status]: [...codes].sort() }
  }
  return errors
}
