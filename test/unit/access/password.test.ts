import { scryptSync } from 'node:crypto'
import t from 'tap'
import { createPasswordHasher, PASSWORDS_WAITING_MAX } from '../../../src/access/password.ts'
import { AppError } from '../../../src/core/code.ts'

/** For what does not depend on how dear a hash is. */
const CHEAP = { costLog2: 8 }

t.test('a hash can be checked by what it names, and nothing else', async (t) => {
  const hasher = createPasswordHasher()
  const [one, other] = await Promise.all([hasher.hash('pässword'), hasher.hash('pässword')])
  t.not(one, other, 'each has a salt of its own')
  for (const hash of [one, other]) {
    t.equal(rehash('pässword', hash), hash)
    t.match(hash, /^\$scrypt\$ln=14,r=8,p=5\$/, 'as dear as OWASP asks for')
  }
  t.not(rehash('password', one), one)
})

t.test('one character is one, however it is composed', async (t) => {
  const hash = await createPasswordHasher(CHEAP).hash('pa\u0308ssword')
  t.equal(rehash('p\u00e4ssword', hash), hash)
})

t.test('more passwords than may wait are refused, and those that wait are hashed', async (t) => {
  const hasher = createPasswordHasher(CHEAP)
  const hashes = Array.from({ length: PASSWORDS_WAITING_MAX }, (_, index) =>
    hasher.hash(`${index}`),
  )
  await t.rejects(hasher.hash('late'), { code: 'resource_exhausted' })
  await t.rejects(hasher.hash('late'), AppError)
  t.equal(new Set(await Promise.all(hashes)).size, PASSWORDS_WAITING_MAX)
  t.ok(await hasher.hash('next'), 'there is room again')
})

/** The same password under the salt and the parameters that a hash names. */
function rehash(password: string, hash: string): string {
  const [, , parameters = '', salt = ''] = hash.split('$')
  const [, ln, r, p] = /^ln=(\d+),r=(\d+),p=(\d+)$/.exec(parameters) ?? []
  const options = { cost: 2 ** Number(ln), blockSize: Number(r), parallelization: Number(p) }
  const bytes = scryptSync(password, Buffer.from(salt, 'base64'), 32, options)
  return `$scrypt$${parameters}$${salt}$${bytes.toString('base64').replace(/=+$/, '')}`
}
