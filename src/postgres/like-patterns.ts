/** Patterns of `like` for words that a text contains; special characters are escaped. */
export function containing(words: readonly string[]): string[] {
  return words.map((word) => `%${word.replace(/[\\%_]/g, '\\$&')}%`)
}
