/**
 * Buckets of flags: a stored format, since a person must keep the bucket that earlier releases and
 * client libraries computed. The first 60 bits of SHA-1 as a fraction; golden vectors are in
 * `test/fixtures/flag-hash.json`.
 */
import crypto from 'node:crypto'

const TWO_28 = 268_435_456
const TWO_60 = TWO_28 * TWO_28 * 16
/** A message of one SHA-1 block leaves 9 of its 64 bytes to the padding. */
const ONE_BLOCK_BYTES_MAX = 55

/** Missing before Node 20.12; three times as fast as `createHash` for short texts. */
const oneShot: typeof crypto.hash | undefined = crypto.hash

/**
 * Bucket of `identifier` under `prefix` and `salt`, in [0, 1]. The 60 bits are rounded to the
 * nearest double, as in every implementation, and divided by a constant that rounds to 2^60.
 */
export function bucketOf(prefix: string, identifier: string, salt: string): number {
  const length = prefix.length + identifier.length + salt.length
  if (length <= ONE_BLOCK_BYTES_MAX) {
    // Written piece by piece: a joined text would be allocated and flattened for each hash.
    const written = write(prefix, 0) && write(identifier, prefix.length)
    if (written && write(salt, length - salt.length)) return oneBlockFraction(length)
  }
  return anyFraction(prefix + identifier + salt)
}

/** Hash of texts of any length and script; a lone surrogate is hashed as U+FFFD. */
function anyFraction(text: string): number {
  const hex =
    oneShot === undefined
      ? crypto.createHash('sha1').update(text, 'utf8').digest('hex')
      : oneShot('sha1', text, 'hex')
  return Number.parseInt(hex.slice(0, 15), 16) / TWO_60
}

/** The 80 schedule words, big-endian; shared, since nothing here awaits. */
const bytes = new Uint8Array(320)
const words = new DataView(bytes.buffer)

/** Writes an ASCII text into the block; false when it is not ASCII. */
function write(text: string, start: number): boolean {
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (code > 127) return false
    bytes[start + at] = code
  }
  return true
}

/**
 * SHA-1 of the first `length` bytes of the block, at most 55. Crossing into OpenSSL costs more than
 * the rounds do: 0.25 us here, 0.39 us for `crypto.hash`, 1.4 us for `createHash` (AMD EPYC, Node
 * 20.20).
 */
function oneBlockFraction(length: number): number {
  bytes.fill(0, length, 64)
  bytes[length] = 0x80
  words.setUint16(62, length << 3)
  for (let at = 64; at < 320; at += 4) {
    const mixed =
      words.getInt32(at - 12) ^
      words.getInt32(at - 32) ^
      words.getInt32(at - 56) ^
      words.getInt32(at - 64)
    words.setInt32(at, (mixed << 1) | (mixed >>> 31))
  }
  return rounds()
}

function rounds(): number {
  let a = 0x67452301
  let b = 0xefcdab89 | 0
  let c = 0x98badcfe | 0
  let d = 0x10325476
  let e = 0xc3d2e1f0 | 0
  for (let at = 0; at < 80; at += 4) {
    const next =
      (((a << 5) | (a >>> 27)) + ((b & c) | (~b & d)) + e + 0x5a827999 + words.getInt32(at)) | 0
    e = d
    d = c
    c = (b << 30) | (b >>> 2)
    b = a
    a = next
  }
  for (let at = 80; at < 160; at += 4) {
    const next = (((a << 5) | (a >>> 27)) + (b ^ c ^ d) + e + 0x6ed9eba1 + words.getInt32(at)) | 0
    e = d
    d = c
    c = (b << 30) | (b >>> 2)
    b = a
    a = next
  }
  for (let at = 160; at < 240; at += 4) {
    const next =
      (((a << 5) | (a >>> 27)) +
        ((b & c) | (b & d) | (c & d)) +
        e +
        0x8f1bbcdc +
        words.getInt32(at)) |
      0
    e = d
    d = c
    c = (b << 30) | (b >>> 2)
    b = a
    a = next
  }
  for (let at = 240; at < 320; at += 4) {
    const next = (((a << 5) | (a >>> 27)) + (b ^ c ^ d) + e + 0xca62c1d6 + words.getInt32(at)) | 0
    e = d
    d = c
    c = (b << 30) | (b >>> 2)
    b = a
    a = next
  }
  const high = (0x67452301 + a) >>> 0
  const low = (0xefcdab89 + b) >>> 0
  return (high * TWO_28 + (low >>> 4)) / TWO_60
}
