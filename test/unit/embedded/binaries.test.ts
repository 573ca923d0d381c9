import { chmod, lstat, mkdir, mkdtemp, readFile, readlink, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { silentLog as log } from '../../../src/core/log.ts'
import { findAccount } from '../../../src/embedded/account.ts'
import { restoreLinks } from '../../../src/embedded/binaries.ts'
import { copyBinaries } from '../../../src/embedded/binaries-copy.ts'

/** A package folder as npm leaves it when install scripts are off, under a strict umask. */
async function nativeFolder(t: Test, links: unknown): Promise<{ base: string; native: string }> {
  const base = await mkdtemp(join(tmpdir(), 'sluice-native-'))
  t.teardown(() => rm(base, { recursive: true, force: true }))
  const native = join(base, 'native')
  await mkdir(join(native, 'bin'), { recursive: true })
  await mkdir(join(native, 'lib'))
  await writeFile(join(native, 'pg-symlinks.json'), JSON.stringify(links))
  await writeFile(join(native, 'bin', 'postgres'), 'program', { mode: 0o700 })
  await writeFile(join(native, 'lib', 'libx.so.1.2'), 'library', { mode: 0o600 })
  await writeFile(join(native, 'lib', 'libx.a'), 'static')
  return { base, native }
}

const LINKS = [{ source: 'native/lib/libx.so.1.2', target: 'native/lib/libx.so.1' }]

t.test('a list of links cannot reach outside of its folder', async (t) => {
  const outside = [
    { source: 'native/lib/libx.so.1.2', target: '../escaped' },
    { source: '/etc/passwd', target: 'native/lib/passwd' },
    { source: 'native/../../x', target: 'native/lib/x' },
    'nonsense',
    null,
    { source: 1 },
  ]
  const { base, native } = await nativeFolder(t, outside)
  t.equal(await restoreLinks(native), undefined)
  for (const path of [join(base, 'escaped'), join(native, 'lib/passwd'), join(native, 'lib/x')]) {
    await t.rejects(lstat(path), { code: 'ENOENT' })
  }
})

t.test('missing links are made, relative, and made once', async (t) => {
  const { native } = await nativeFolder(t, LINKS)
  t.equal(await restoreLinks(native), undefined)
  t.equal(await restoreLinks(native), undefined)
  t.equal(await readlink(join(native, 'lib', 'libx.so.1')), 'libx.so.1.2')
})

t.test('a list that is missing is an answer, not an exception', async (t) => {
  t.match(await restoreLinks('/nonexistent'), { code: 'ENOENT' })
})

t.test('a copy is readable by all, reused, and made anew when it has holes', async (t) => {
  const { base, native } = await nativeFolder(t, LINKS)
  const request = { folder: native, account: undefined, dataDir: base, log }
  const copy = await copyBinaries(request)
  t.match(copy.slice(base.length), /^\/postgres-programs-[0-9a-f]{16}$/)
  t.equal((await lstat(copy)).mode & 0o777, 0o755)
  t.equal((await lstat(join(copy, 'bin', 'postgres'))).mode & 0o777, 0o755)
  t.equal((await lstat(join(copy, 'lib', 'libx.so.1.2'))).mode & 0o777, 0o644)
  await t.rejects(lstat(join(copy, 'lib', 'libx.a')), { code: 'ENOENT' })
  t.equal(await restoreLinks(copy), undefined)
  t.equal(await copyBinaries(request), copy, 'links do not change what it is')
  await rm(join(copy, 'lib', 'libx.so.1.2'))
  t.equal(await copyBinaries(request), copy)
  t.equal(await readFile(join(copy, 'lib', 'libx.so.1.2'), 'utf8'), 'library')
})

t.test('a copy that others could have changed is never used', async (t) => {
  const { base, native } = await nativeFolder(t, LINKS)
  const request = { folder: native, account: undefined, dataDir: base, log }
  const copy = await copyBinaries(request)
  await chmod(copy, 0o777)
  await t.rejects(copyBinaries(request), { code: 'failed_precondition' })
})

t.test('only an unprivileged entry of the passwd file will do', async (t) => {
  const passwd = 'root:x:0:0::/:\npostgres:x:0:0::/:\nbroken\nnobody:x:65534:65534::/:\n'
  t.equal(findAccount(passwd, 'postgres'), undefined, 'another name for root')
  t.equal(findAccount(passwd, 'absent'), undefined)
  t.strictSame(findAccount(passwd, 'nobody'), { uid: 65_534, gid: 65_534 })
})
