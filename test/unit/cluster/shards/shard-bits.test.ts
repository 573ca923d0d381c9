import fc from 'fast-check'
import t from 'tap'
import { decodeShards, encodeShards } from '../../../../cluster/shards/shard-bits.ts'
import { shardId } from '../../../../src/core/ids.ts'

t.test('bytes that are too few say nothing of shards', async (t) => {
  t.equal(decodeShards(Buffer.alloc(0)), undefined)
  t.equal(decodeShards(Buffer.alloc(31)), undefined)
})

t.test('shard 0 is the lowest bit of the first byte', async (t) => {
  const bits = encodeShards([0, 9, 255].map(shardId))
  t.equal(bits.length, 32)
  t.equal(bits[0], 1)
  t.equal(bits[1], 2)
  t.equal(bits[31], 128)
})

t.test('none at all is told from nothing said', async (t) => {
  t.same(decodeShards(encodeShards([])), new Set())
})

t.test('any set of shards comes back as it was', async () => {
  const some = fc.uniqueArray(fc.integer({ min: 0, max: 255 }))
  fc.assert(
    fc.property(some, (shards) => {
      const back = decodeShards(encodeShards(shards.map(shardId)))
      return back?.size === shards.length && shards.every((shard) => back.has(shardId(shard)))
    }),
  )
})
