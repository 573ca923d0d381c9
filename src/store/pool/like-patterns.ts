/** Patterns of `like` for words that a text contains: what is special there stands for itself. */
export function containing(words: readonly string[]): string[] {
  return words.map((word) => `%${word.replace(/[\\%_]/g, '\\$&')}%`)
}
