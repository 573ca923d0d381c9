import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { loadUws, UWS_BUILDS, uwsBuild } from '../../../../gateway/http/uws-binary.ts'
import { packageRoot } from '../../../../src/core/package-root.ts'
import { canRunUws } from '../../../support/http/uws-machine.ts'

t.test('a binary with another hash is not loaded, and the reason names the hash', async (t) => {
  const file = join(t.testdir(), 'uws.node')
  writeFileSync(file, 'not what was reviewed')
  t.match(loadUws(file), { ok: false, error: /unknown sha256 [0-9a-f]{64}/ })
})

t.test('a missing binary is a reason, not an exception', async (t) => {
  t.match(loadUws(join(t.testdir(), 'absent.node')), { ok: false, error: /ENOENT/ })
})

t.test('each supported Node has a build, and another one is told so', async (t) => {
  t.same(Object.keys(UWS_BUILDS), ['20', '22', '24', '26'])
  for (const major of Object.keys(UWS_BUILDS)) t.match(uwsBuild(major).sha256, /^[0-9a-f]{64}$/)
  t.throws(() => uwsBuild('21'), { message: 'there is no build of it for Node 21' })
})

t.test('package.json asks npm for each build', async (t) => {
  const { optionalDependencies } = JSON.parse(
    readFileSync(join(packageRoot, 'package.json'), 'utf8'),
  )
  const lock = JSON.parse(readFileSync(join(packageRoot, 'package-lock.json'), 'utf8'))
  for (const [major, { packageName }] of Object.entries(UWS_BUILDS)) {
    t.match(optionalDependencies[packageName], `npm:@uwsjs/linux-x64-${major}@`)
    t.match(lock.packages[`node_modules/${packageName}`], {
      optional: true,
      engines: { node: `>=${major}.0.0 <${Number(major) + 1}.0.0` },
    })
  }
})

t.test('the reviewed binary loads where the machine can run it', async (t) => {
  const uws = loadUws()
  if (canRunUws()) t.ok(uws.ok, uws.ok ? 'loads' : uws.error)
  else t.match(uws, { ok: false, error: /^(its build for Node|there is no build)/ })
})
