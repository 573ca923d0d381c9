/**
 * The first answer of a call and of at most one more like it; fails when all that were begun have.
 *
 * @param begin makes the call; it may say once that the call hangs.
 * @param hedge makes another because of that, or `undefined` when nobody is there to be asked.
 * @param retry makes another because of a failure, unless `hedge` has made one.
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
