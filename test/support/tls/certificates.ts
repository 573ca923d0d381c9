/** Certificates that the program `openssl` makes for a test. */
import { execFileSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Test } from 'tap'
import { testFolder } from '../servers/product.ts'

/** Paths of files in PEM. */
export type Certificate = { readonly cert: string; readonly key: string }

export type Authority = {
  /** Path of its own certificate. */
  readonly ca: string
  /**
   * @param names such as `DNS:localhost` and `IP:127.0.0.1`.
   * @param days how long it is valid; below zero it has expired.
   */
  issue(names: readonly string[], days?: number): Certificate
}

/** An authority that nobody else knows, with a folder of its own. */
export function makeAuthority(t: Test): Authority {
  const folder = testFolder(t)
  const file = (name: string) => join(folder, name)
  const ca = file('ca.pem')
  const caKey = file('ca.key')
  let issued = 0
  // A shifted clock would make certificates that are not yet valid for servers with another one.
  const env = { ...process.env, CLOCK_SHIFT_S: '0' }
  const run = (...args: string[]) => execFileSync('openssl', args, { stdio: 'pipe', env })
  const newKey = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes']
  run('req', '-x509', ...newKey, '-keyout', caKey, '-out', ca, '-subj', '/CN=test', '-days', '2')
  return {
    ca,
    issue(names, days = 2) {
      issued++
      const [cert, key, request, extensions] = ['pem', 'key', 'csr', 'ext'].map((end) =>
        file(`${issued}.${end}`),
      ) as [string, string, string, string]
      run('req', ...newKey, '-keyout', key, '-out', request, '-subj', `/CN=issued ${issued}`)
      writeFileSync(extensions, `subjectAltName=${names.join(',')}\n`)
      const by = ['-CA', ca, '-CAkey', caKey, '-CAcreateserial', '-extfile', extensions]
      run('x509', '-req', '-in', request, '-out', cert, '-days', String(days), ...by)
      return { cert, key }
    },
  }
}
