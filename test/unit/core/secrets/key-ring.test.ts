import { chmod, mkdtemp, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { openKeyRing } from '../../../../src/core/secrets/key-file.ts'
import { createKeyRing, parseKeys, sealedBy } from '../../../../src/core/secrets/key-ring.ts'

const OLD = Buffer.alloc(32, 1)
const NEW = Buffer.alloc(32, 2)
const PLAIN = Buffer.from('s3cret')

async function folder(t: Test): Promise<string> {
  const dataDir = await mkdtemp(join(tmpdir(), 'sluice-keys-'))
  t.teardown(() => rm(dataDir, { recursive: true }))
  return dataDir
}

t.test('a sealed text opens with its key, at its place, unchanged', (t) => {
  const ring = createKeyRing([OLD])
  const sealed = ring.seal(PLAIN, 'here')
  t.notMatch(sealed.toString('latin1'), /s3cret/)
  t.not(sealed.toString('hex'), ring.seal(PLAIN, 'here').toString('hex'), 'no two are alike')
  t.equal(ring.open(sealed, 'here').toString(), 's3cret')
  t.throws(() => ring.open(sealed, 'there'), { code: 'failed_precondition' })
  for (const at of [0, 3, 10, 25, sealed.length - 1]) {
    const changed = Buffer.from(sealed)
    changed[at] = (changed[at] ?? 0) ^ 1
    t.throws(() => ring.open(changed, 'here'), { code: 'failed_precondition' }, `byte ${at}`)
  }
  t.throws(() => ring.open(Buffer.from('short'), 'here'), { code: 'failed_precondition' })
  t.end()
})

t.test('the first key seals, all open, and an unknown one is named', (t) => {
  const [old, both] = [createKeyRing([OLD]), createKeyRing([NEW, OLD])]
  const sealed = old.seal(PLAIN, 'here')
  t.equal(both.open(sealed, 'here').toString(), 's3cret')
  t.equal(sealedBy(both.seal(PLAIN, 'here')), both.ids[0])
  t.throws(() => createKeyRing([NEW]).open(sealed, 'here'), {
    message: new RegExp(`${old.ids[0]}`),
  })
  t.throws(() => createKeyRing([]).seal(PLAIN, 'here'), { message: /SECRETS_KEY is missing/ })
  t.end()
})

t.test('keys are 32 bytes in hex or base64', (t) => {
  const text = `${OLD.toString('hex')}, ${NEW.toString('base64')}\n${NEW.toString('base64url')}`
  t.same(parseKeys(text), { ok: true, value: [OLD, NEW, NEW] })
  for (const wrong of [
    '',
    'abc',
    'x'.repeat(64),
    OLD.subarray(1).toString('base64'),
    `${text} a`,
  ]) {
    t.equal(parseKeys(wrong).ok, false, wrong)
  }
  t.end()
})

t.test('a standalone makes a key file that its owner alone may read', async (t) => {
  const dataDir = await folder(t)
  const source = { secretsKey: undefined, dataDir }
  t.same((await openKeyRing(source, { makes: false })).ids, [], 'a member of a cluster makes none')
  const [one, two] = await Promise.all([
    openKeyRing(source, { makes: true }),
    openKeyRing(source, { makes: true }),
  ])
  t.equal(one.ids.length, 1)
  t.same(one.ids, two.ids, 'processes that start together have one key')
  t.equal((await stat(join(dataDir, 'secrets.key'))).mode & 0o777, 0o600)
  t.same((await openKeyRing(source, { makes: false })).ids, one.ids)
  const given = { ...source, secretsKey: OLD.toString('hex') }
  t.same((await openKeyRing(given, { makes: true })).ids, createKeyRing([OLD]).ids)
})

t.test('a key file that others may read, or that holds no key, is refused', async (t) => {
  const dataDir = await folder(t)
  const source = { secretsKey: undefined, dataDir }
  const path = join(dataDir, 'secrets.key')
  for (const mode of [0o644, 0o640, 0o604, 0o620]) {
    await writeFile(path, OLD.toString('hex'))
    await chmod(path, mode)
    const opening = openKeyRing(source, { makes: true })
    await t.rejects(opening, { message: /chmod 600/ }, mode.toString(8))
    await rm(path)
  }
  await writeFile(path, 'no key', { mode: 0o600 })
  await t.rejects(openKeyRing(source, { makes: true }), { message: /must be keys of 32 bytes/ })
})
