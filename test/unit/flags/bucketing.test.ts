import { createHash } from 'node:crypto'
import fc from 'fast-check'
import t from 'tap'
import { bucketOf } from '../../../src/flags/bucketing.ts'
import { codePoint } from '../../support/code-points.ts'
import { ask, flag, oneSet, resultFor, snapshot } from './support.ts'

t.test('buckets are those of SHA-1 for any text', async (t) => {
  const text = fc.oneof(fc.string({ maxLength: 60 }), fc.string({ unit: codePoint, maxLength: 20 }))
  fc.assert(
    fc.property(text, text, fc.constantFrom('', 'variant'), (prefix, identifier, salt) => {
      const hex = createHash('sha1').update(`${prefix}${identifier}${salt}`).digest('hex')
      const expected = Number(BigInt(`0x${hex.slice(0, 15)}`)) / 2 ** 60
      t.equal(bucketOf(prefix, identifier, salt), expected)
    }),
    { numRuns: 200 },
  )
})

t.test('a text just over one block hashes as one just within', async (t) => {
  for (const length of [0, 54, 55, 56, 63, 64, 65]) {
    const text = 'x'.repeat(length)
    const hex = createHash('sha1').update(text).digest('hex')
    t.equal(bucketOf(text, '', ''), Number.parseInt(hex.slice(0, 15), 16) / 2 ** 60)
  }
})

t.test('whoever is in at a percentage stays in at a higher one', async (t) => {
  const percentage = fc.oneof(fc.nat(100), fc.double({ min: 0, max: 100, noNaN: true }))
  let inAtBoth = 0
  fc.assert(
    fc.property(fc.string(), percentage, percentage, (distinctId, a, b) => {
      const [low, high] = [Math.min(a, b), Math.max(a, b)]
      const at = (rollout: number) =>
        resultFor(ask(snapshot([flag(1, 'f', oneSet([], rollout))]), { distinctId }), 'f')?.value
      if (at(low) !== true) return true
      inAtBoth += 1
      return at(high) === true
    }),
    { numRuns: 1_000 },
  )
  t.ok(inAtBoth > 10, `${inAtBoth} of 1,000 are in at both`)
})

t.test('variants get their shares', async (t) => {
  const variants = [
    { key: 'a', rollout_percentage: 10 },
    { key: 'b', rollout_percentage: 60 },
    { key: 'c', rollout_percentage: 30 },
  ]
  const compiled = snapshot([flag(1, 'f', { ...oneSet([]), multivariate: { variants } })])
  const counts = new Map<unknown, number>()
  for (let id = 0; id < 10_000; id++) {
    const value = resultFor(ask(compiled, { distinctId: `id-${id}` }), 'f')?.value
    counts.set(value, (counts.get(value) ?? 0) + 1)
  }
  for (const { key, rollout_percentage: share } of variants) {
    t.ok(Math.abs((counts.get(key) ?? 0) - share * 100) < 200, `${key} ${counts.get(key)}`)
  }
  t.equal(counts.size, 3)
})
