import fc from 'fast-check'
import lzString from 'lz-string'
import t from 'tap'
import { decompressLz64 } from '../../../../gateway/body/lz64.ts'
import { codePoint } from '../../../support/code-points.ts'

t.test('text is what the library compressed', async (t) => {
  const samples = [
    'a',
    'aaaaaaaaaaaa',
    'abcabcabcabc',
    '🎉🎉 é €',
    'x'.repeat(100_000),
    '\0\uffff\ud800',
  ]
  for (const text of samples) {
    const result = decompressLz64(lzString.compressToBase64(text), 1_000_000)
    t.strictSame(result, { ok: true, value: text })
  }
  fc.assert(
    fc.property(
      fc.array(fc.string({ unit: codePoint, minLength: 1 }), { minLength: 1 }),
      (parts) => {
        const text = [...parts, ...parts, ...parts].join('')
        const result = decompressLz64(lzString.compressToBase64(text), 1_000_000)
        return result.ok && result.value === text
      },
    ),
  )
})

t.test('no text makes the decoder throw, run on, or write past its bound', async (t) => {
  const alphabet = fc.constantFrom(...'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnop0123456789+/=é')
  fc.assert(
    fc.property(fc.string({ unit: alphabet, maxLength: 400 }), fc.nat(500), (text, unitsMax) => {
      const result = decompressLz64(text, unitsMax)
      return !result.ok || (result.value.length > 0 && result.value.length <= unitsMax)
    }),
    { numRuns: 2_000 },
  )
  t.pass()
})

t.test('text cut short is invalid', async (t) => {
  const text = lzString.compressToBase64('some text that is long enough to be cut')
  for (let length = 0; length < text.length - 4; length++) {
    t.match(decompressLz64(text.slice(0, length), 1_000), { ok: false })
  }
})
