/** Columns of an export, and characters of their names together; more are 400. */
export const EVENT_EXPORT_COLUMNS_MAX = 10_000
const EVENT_EXPORT_COLUMN_CHARS_MAX = 1_048_576

/** Bounded set of the column names of an export: events may have any number of keys. */
export class ColumnSet {
  readonly #names = new Set<string>()
  #chars = 0

  /** False when the bound of columns is reached. */
  add(name: string): boolean {
    if (this.#names.has(name)) return true
    this.#chars += name.length
    this.#names.add(name)
    return (
      this.#names.size <= EVENT_EXPORT_COLUMNS_MAX && this.#chars <= EVENT_EXPORT_COLUMN_CHARS_MAX
    )
  }

  /** Sorted by UTF-16 code units. */
  sorted(): string[] {
    return [...this.#names].sort()
  }
}
