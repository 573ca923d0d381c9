import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import {
  loadUws,
  sha256OfFile,
  UWS_SHA256,
  uwsBinaryPath,
} from '../../../../gateway/http/uws-binary.ts'

t.test('a binary with another hash is not loaded, and the reason names the hash', async (t) => {
  const file = join(t.testdir(), 'uws.node')
  writeFileSync(file, 'not what was reviewed')
  t.match(loadUws(file), { ok: false, error: /unknown sha256 [0-9a-f]{64}/ })
})

t.test('a missing binary is a reason, not an exception', async (t) => {
  t.match(loadUws(join(t.testdir(), 'absent.node')), { ok: false, error: /ENOENT/ })
})

t.test('the installed binary is the one that was reviewed', async (t) => {
  t.equal(sha256OfFile(uwsBinaryPath()), UWS_SHA256)
})

t.test('the reviewed binary loads on this platform', async (t) => {
  const uws = loadUws()
  t.ok(uws.ok, uws.ok ? 'loads' : uws.error)
})
