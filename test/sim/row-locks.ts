/**
 * Row locks as a database has them: shared or exclusive, granted in order, held to the end of the
 * transaction.
 */
export type LockMode = 'share' | 'alone'

/** One transaction. The code that ends it must release its locks. */
export type Locker = { isOver: boolean; readonly held: Set<Row> }

type Waiter = { readonly locker: Locker; readonly mode: LockMode; readonly got: () => void }

class Row {
  alone: Locker | undefined
  readonly shared = new Set<Locker>()
  waiters: Waiter[] = []

  isFree(locker: Locker, mode: LockMode): boolean {
    if (this.alone !== undefined && this.alone !== locker) return false
    if (mode === 'share') return true
    return [...this.shared].every((other) => other === locker)
  }

  give(locker: Locker, mode: LockMode): void {
    if (mode === 'share') this.shared.add(locker)
    else this.alone = locker
    locker.held.add(this)
  }
}

export class RowLocks {
  readonly #rows = new Map<string, Row>()

  #row(name: string): Row {
    const known = this.#rows.get(name)
    if (known !== undefined) return known
    const row = new Row()
    this.#rows.set(name, row)
    return row
  }

  isFree(name: string): boolean {
    const row = this.#row(name)
    return row.alone === undefined && row.shared.size === 0
  }

  /** Takes the lock now or later. The returned function ends the wait. */
  take(name: string, locker: Locker, mode: LockMode, got: () => void): () => void {
    const row = this.#row(name)
    if (row.isFree(locker, mode)) {
      row.give(locker, mode)
      got()
      return () => {}
    }
    const waiter = { locker, mode, got }
    row.waiters.push(waiter)
    return () => {
      row.waiters = row.waiters.filter((each) => each !== waiter)
    }
  }

  /** Releases the locks of a transaction that has ended. */
  end(locker: Locker): void {
    locker.isOver = true
    for (const row of locker.held) {
      row.shared.delete(locker)
      if (row.alone === locker) row.alone = undefined
    }
    for (const row of locker.held) this.#wake(row)
    locker.held.clear()
  }

  #wake(row: Row): void {
    for (const waiter of [...row.waiters]) {
      if (waiter.locker.isOver || !row.isFree(waiter.locker, waiter.mode)) continue
      if (!row.waiters.includes(waiter)) continue
      row.waiters = row.waiters.filter((each) => each !== waiter)
      row.give(waiter.locker, waiter.mode)
      waiter.got()
    }
  }
}
