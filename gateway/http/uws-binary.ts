/**
 * Loads uWebSockets.js. The package is one native file republished from the project's own release,
 * so the file is checked against the hash that was reviewed before any of its code runs.
 */
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { HTTP_HEADER_BYTES_MAX } from '../../src/core/limits/limits.ts'
import { err, ok, type Result } from '../../src/core/result.ts'
import type { Uws } from './uws-types.ts'

/** Of `uws.node` in `@uwsjs/linux-x64-20@20.51.4`. */
export const UWS_SHA256 = '4d482084b665c225892917ee0e9b9572d89eaa6f3dc200ff5e536293d3456c89'

const require = createRequire(import.meta.url)

/** Path of the native file. @throws when the optional package is not installed. */
export function uwsBinaryPath(): string {
  return join(dirname(require.resolve('uWebSockets.js/package.json')), 'uws.node')
}

export function sha256OfFile(path: string): string {
  return createHash('sha256').update(readFileSync(path)).digest('hex')
}

/** The library, or the reason why it cannot be used. Never throws. @param path for tests. */
export function loadUws(path?: string): Result<Uws, string> {
  try {
    const file = path ?? uwsBinaryPath()
    const hash = sha256OfFile(file)
    if (hash !== UWS_SHA256) return err(`uws.node has the unknown sha256 ${hash}`)
    // The library reads this when it loads; its default of 4 kB is too small for list queries. The
    // operator does not set it, so it is not in config.ts.
    process.env['UWS_HTTP_MAX_HEADERS_SIZE'] = String(HTTP_HEADER_BYTES_MAX)
    const uws: Uws = require(file)
    uws._cfg('999999990007')
    return ok(uws)
  } catch (error) {
    return err(error instanceof Error ? error.message : String(error))
  }
}
