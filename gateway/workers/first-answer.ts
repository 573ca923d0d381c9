/**
 * The first answer of a call and of at most one more like it. Fails when all calls have failed.
 * @param begin makes the call, and may report once that it hangs.
 * @param hedge makes another call when the first one hangs; `undefined` when no worker is left.
 * @param retry makes another call after a failure, unless `hedge` has made one.
 */
export function firstAnswer<T>(
  begin: (onSilent: () => void) => Promise<T>,
  hedge: () => Promise<T> | undefined,
  retry: (error: unknown) => Promise<T> | undefined,
): Promise<T> {
  return new Promise((resolve, reject) => {
    let pending = 1
    let isAlone = true
    const fail = (error: unknown) => {
      pending--
      if (pending === 0) reject(error)
    }
    const add = (more: Promise<T> | undefined) => {
      if (more === undefined) return
      isAlone = false
      pending++
      more.then(resolve, fail)
    }
    const onSilent = () => {
      if (isAlone) add(hedge())
    }
    begin(onSilent).then(resolve, (error: unknown) => {
      if (isAlone) add(retry(error))
      fail(error)
    })
  })
}
