import fc from 'fast-check'
import t from 'tap'
import {
  base62,
  isPersonalKey,
  isProjectToken,
  keyDigest,
  makePersonalKey,
  makeProjectToken,
  maskKey,
} from '../../../src/access/keys.ts'

t.test('values that can be no key are refused', async (t) => {
  for (const value of ['', 'short', 'with space', 'ünicode-value', 'nul\0value', 'x'.repeat(201)]) {
    t.notOk(isPersonalKey(value), JSON.stringify(value))
  }
  for (const value of ['', 'too-short', 'with a space', 'phx_personal_key', 'x'.repeat(65)]) {
    t.notOk(isProjectToken(value), JSON.stringify(value))
  }
  t.notOk(isPersonalKey(makeProjectToken()), 'a project token is no personal key')
  t.notOk(isProjectToken(makePersonalKey()), 'nor the other way round')
})

t.test('keys are a prefix and 43 digits of base 62, and all differ', async (t) => {
  const keys = Array.from({ length: 200 }, makePersonalKey)
  for (const key of keys) t.match(key, /^phx_[0-9A-Za-z]{43}$/)
  t.match(makeProjectToken(), /^phc_[0-9A-Za-z]{43}$/)
  t.equal(new Set(keys).size, keys.length)
  t.ok(keys.every(isPersonalKey))
  t.ok(isProjectToken(makeProjectToken()))
})

t.test('base 62 is one to one over 256 bits', async (t) => {
  t.equal(base62(new Uint8Array(32)), '0'.repeat(43))
  t.equal(base62(new Uint8Array(32).fill(255)).length, 43)
  const bytes = fc.uint8Array({ minLength: 32, maxLength: 32 })
  fc.assert(
    fc.property(bytes, (input) => {
      const text = base62(input)
      let value = 0n
      for (const digit of text) value = value * 62n + BigInt(digitOf(digit))
      return text.length === 43 && value === BigInt(`0x${Buffer.from(input).toString('hex')}`)
    }),
  )
})

t.test('a mask shows little of a long key and nothing of the end of a short one', async (t) => {
  const key = makePersonalKey()
  t.equal(maskKey(key), `phx_...${key.slice(-4)}`)
  t.equal(maskKey('phx_secret'), 'phx_...')
})

t.test('the digest is SHA-256', async (t) => {
  const hex = 'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad'
  t.equal(keyDigest('abc').toString('hex'), hex)
})

function digitOf(digit: string): number {
  return '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'.indexOf(digit)
}
