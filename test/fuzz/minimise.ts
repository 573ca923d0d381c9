/** Makes a failing input small. */

/** Enough for inputs of some kilobytes; larger ones are left larger. */
const TRIES_MAX = 400

/** Takes pieces away, halving them, for as long as `fails` holds of what is left. */
export async function minimise(
  input: Buffer,
  fails: (input: Buffer) => Promise<boolean>,
): Promise<Buffer> {
  let best = input
  let tries = 0
  for (let size = Math.ceil(input.length / 2); size >= 1; size = Math.floor(size / 2)) {
    for (let at = 0; at < best.length; ) {
      if (tries >= TRIES_MAX) return best
      tries += 1
      const less = Buffer.concat([best.subarray(0, at), best.subarray(at + size)])
      if (await fails(less)) best = less
      else at += size
    }
  }
  return best
}
