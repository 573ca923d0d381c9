/** Widths of texts in DejaVu Sans, good enough to place and to cut them. */

/** Widths in parts of the size. */
const NARROW = 0.36
const USUAL = 0.62
const WIDE = 0.82
const FULL = 1.02

const NARROW_CHARACTERS = /[ijltfrI.,:;'!|()[\] ]/u
const WIDE_CHARACTERS = /[A-HJ-Zmw@%&+=<>—·]/u
/** East Asian scripts and pictures, which are as wide as high. */
const FULL_CHARACTERS =
  /[\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\uff00-\uff60\u{1f000}-\u{3ffff}]/u

export function widthOf(text: string, size: number): number {
  let parts = 0
  for (const character of text) parts += partsOf(character)
  return parts * size
}

function partsOf(character: string): number {
  if (NARROW_CHARACTERS.test(character)) return NARROW
  if (WIDE_CHARACTERS.test(character)) return WIDE
  return FULL_CHARACTERS.test(character) ? FULL : USUAL
}

/** The text itself, or its beginning with `…` where the whole is too wide. */
export function cutTo(text: string, width: number, size: number): string {
  if (widthOf(text, size) <= width) return text
  let left = width - USUAL * size
  let kept = ''
  for (const character of text) {
    left -= partsOf(character) * size
    if (left < 0) break
    kept += character
  }
  return `${kept.trimEnd()}…`
}
