/** Words of the search text of a list. */

/** Each word once. */
export function wordsOf(search: string | undefined): readonly string[] {
  const words = (search ?? '').split(/\s+/).filter((word) => word !== '')
  return [...new Set(words)]
}
