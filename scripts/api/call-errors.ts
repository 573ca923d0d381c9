/**
 * Codes of failures that the cases of `test/api` show of each call. `npm run gen` keeps them in
 * `call-errors.json`, because a build has no tests.
 */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { packageRoot } from '../../src/core/package-root.ts'

/** Endpoint to status to codes, each in alphabetical order. */
export type CallErrors = Readonly<Record<string, Readonly<Record<string, readonly string[]>>>>

export const callErrorsPath: string = join(packageRoot, 'scripts', 'api', 'call-errors.json')

let read: CallErrors | undefined

export function callErrors(): CallErrors {
  read ??= JSON.parse(readFileSync(callErrorsPath, 'utf8')) as CallErrors
  return read
}
