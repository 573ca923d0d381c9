/** Slices of a pie, as paths of SVG. */

export type Circle = { readonly x: number; readonly y: number; readonly radius: number }

/**
 * A slice of a circle, clockwise from the top.
 * @param from part of the whole turn, as is `to`.
 */
export function slicePath(from: number, to: number, { x, y, radius }: Circle): string {
  if (to <= from) return ''
  const at = (turn: number) => {
    const angle = (turn - 0.25) * 2 * Math.PI
    return `${rounded(x + radius * Math.cos(angle))} ${rounded(y + radius * Math.sin(angle))}`
  }
  const arc = (target: number, isLarge: boolean) =>
    `A${rounded(radius)} ${rounded(radius)} 0 ${isLarge ? 1 : 0} 1 ${at(target)}`
  // An arc cannot end where it starts.
  if (to - from > 0.9999) return `M${at(from)}${arc(from + 0.5, false)}${arc(from, false)}Z`
  return `M${rounded(x)} ${rounded(y)}L${at(from)}${arc(to, to - from > 0.5)}Z`
}

function rounded(value: number): number {
  return Math.round(value * 100) / 100
}
