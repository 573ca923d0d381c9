/** Characters for texts of fast-check. */
import fc from 'fast-check'

const SURROGATES_FROM = 0xd800
const SURROGATES = 0x800
const LAST = 0x10ffff

/**
 * Any code point that is no half surrogate. fast-check's own unit `binary` is the same, but builds a
 * map of all of them first: a second of processor and 100 MB in each process.
 */
export const codePoint: fc.Arbitrary<string> = fc
  .nat(LAST - SURROGATES)
  .map((n) => String.fromCodePoint(n < SURROGATES_FROM ? n : n + SURROGATES))
