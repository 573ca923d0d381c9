/** Waits for all of some work. */

/**
 * The outcomes in order. Unlike `Promise.all` it ends when all have ended, and none is still under
 * way: for work that shares a transaction.
 * @throws what the first of them threw.
 */
export async function settleAll<T>(work: readonly Promise<T>[]): Promise<T[]> {
  const ends = await Promise.allSettled(work)
  return ends.map((end) => {
    if (end.status === 'rejected') throw end.reason
    return end.value
  })
}
