/** Random numbers of the load, repeatable from a seed. */
import { assert } from '../../../src/core/code.ts'

/** Pseudo-random numbers that a seed repeats, so that two runs send the same data. */
export type Prng = {
  /** 0 to 2^32 - 1. */
  uint32(): number
  /** [0, 1) in steps of 2^-32. */
  float(): number
  /** 0 to `bound` - 1. */
  below(bound: number): number
}

/** xoshiro128** (Blackman and Vigna). Splitmix32 fills its state from the seed. */
export function createPrng(seed: number): Prng {
  let mixed = seed >>> 0
  const split = () => {
    mixed = (mixed + 0x9e3779b9) | 0
    let z = mixed
    z = Math.imul(z ^ (z >>> 16), 0x21f0aaad)
    z = Math.imul(z ^ (z >>> 15), 0x735a2d97)
    return z ^ (z >>> 15)
  }
  let a = split()
  let b = split()
  let c = split()
  let d = split()
  const uint32 = () => {
    const scrambled = Math.imul(b, 5)
    const result = Math.imul((scrambled << 7) | (scrambled >>> 25), 9)
    const shifted = b << 9
    c ^= a
    d ^= b
    b ^= c
    a ^= d
    c ^= shifted
    d = (d << 11) | (d >>> 21)
    return result >>> 0
  }
  const float = () => uint32() / 4_294_967_296
  return { uint32, float, below: (bound) => Math.floor(float() * bound) }
}

/** Chooses from `0 .. count - 1`. */
export type Sampler = () => number

export function uniformSampler(prng: Prng, count: number): Sampler {
  assert(Number.isInteger(count) && count >= 1, 'a sampler needs something to pick from')
  return () => prng.below(count)
}

/** Rank `r` (from 1) is chosen in proportion to `1 / r^exponent`. Takes 8 bytes for each id. */
export function zipfSampler(prng: Prng, count: number, exponent: number): Sampler {
  assert(Number.isInteger(count) && count >= 1, 'a sampler needs something to pick from')
  const cumulated = new Float64Array(count)
  let sum = 0
  for (let index = 0; index < count; index++) {
    sum += (index + 1) ** -exponent
    cumulated[index] = sum
  }
  return () => {
    const target = prng.float() * sum
    let low = 0
    let high = count - 1
    while (low < high) {
      const middle = (low + high) >>> 1
      if ((cumulated[middle] ?? 0) > target) high = middle
      else low = middle + 1
    }
    return low
  }
}

/** Gap to the next arrival of a Poisson process, in units of its mean gap. */
export function exponential(prng: Prng): number {
  return -Math.log(1 - prng.float())
}
