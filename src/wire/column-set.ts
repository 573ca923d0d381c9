import { EVENT_EXPORT_COLUMN_CHARS_MAX, EVENT_EXPORT_COLUMNS_MAX } from '../core/limits/limits.ts'

/** Names of the columns of an export: events may have keys without end. */
export class ColumnSet {
  readonly #names = new Set<string>()
  #chars = 0

  /** False when it would be more than one export may have. */
  add(name: string): boolean {
    if (this.#names.has(name)) return true
    this.#chars += name.length
    this.#names.add(name)
    return (
      this.#names.size <= EVENT_EXPORT_COLUMNS_MAX && this.#chars <= EVENT_EXPORT_COLUMN_CHARS_MAX
    )
  }

  /** By UTF-16 code units. */
  sorted(): string[] {
    return [...this.#names].sort()
  }
}
