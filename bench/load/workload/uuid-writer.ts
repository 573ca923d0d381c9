/** Writes fresh event uuids into prepared requests. */
import { randomBytes } from 'node:crypto'
import { createPrng } from './prng.ts'

/** Browser and Node SDKs send v7, Python's sends v4. An index takes v7 at less cost. */
export type UuidVersion = 4 | 7
/** Writes a new UUID as 36 ASCII bytes at `at`. */
export type UuidWriter = (target: Buffer, at: number) => void

const HEX = Buffer.from('0123456789abcdef')
const DASH = 45

/**
 * UUIDs that no other process makes. The system's entropy seeds the four generators of the random part,
 * and a v7 begins with the time and a count.
 */
export function createUuidWriter(
  version: UuidVersion,
  now: () => number = () => performance.timeOrigin + performance.now(),
): UuidWriter {
  const entropy = randomBytes(16)
  const streams = [0, 4, 8, 12].map((offset) => createPrng(entropy.readUInt32LE(offset)))
  const word = (index: number) => streams[index]?.uint32() ?? 0
  let count = entropy.readUInt32BE(0) & 0xffff
  return (target, at) => {
    let first = word(0)
    let second = word(1)
    if (version === 7) {
      const ms = Math.floor(now())
      first = Math.floor(ms / 65_536) >>> 0
      count = (count + 1) & 0xfff
      second = (((ms & 0xffff) << 16) | count) >>> 0
    }
    second = ((second & 0xffff0fff) | (version << 12)) >>> 0
    const third = ((word(2) & 0x3fffffff) | 0x80000000) >>> 0
    writeHex(target, at, first, 8)
    target[at + 8] = DASH
    writeHex(target, at + 9, second >>> 16, 4)
    target[at + 13] = DASH
    writeHex(target, at + 14, second & 0xffff, 4)
    target[at + 18] = DASH
    writeHex(target, at + 19, third >>> 16, 4)
    target[at + 23] = DASH
    writeHex(target, at + 24, third & 0xffff, 4)
    writeHex(target, at + 28, word(3), 8)
  }
}

function writeHex(target: Buffer, at: number, value: number, digits: number): void {
  for (let index = 0; index < digits; index++) {
    target[at + index] = HEX[(value >>> ((digits - 1 - index) * 4)) & 15] ?? 0
  }
}
