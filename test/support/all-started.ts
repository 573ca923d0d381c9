/**
 * Parts of a test that start side by side. When one of them fails, the others are waited for before the
 * test hears of it: a test that has ended calls no teardown that is registered later, so a part that
 * was still starting would run on and keep the file from ending.
 */
export async function allStarted<Parts extends readonly unknown[]>(
  starts: { readonly [K in keyof Parts]: PromiseLike<Parts[K]> },
): Promise<Parts> {
  await Promise.allSettled(starts)
  return (await Promise.all(starts)) as unknown as Parts // In the order of the starts.
}
