/** Finds the rows of a flush that the database refuses, so that the others are stored. */

export type BisectSteps<Row> = {
  /** Writes the rows together, or none of them. */
  flush(rows: readonly Row[]): Promise<void>
  /** Keeps a row that cannot be written. */
  giveUp(row: Row, error: unknown): Promise<void>
  /** True when one of the rows is at fault, rather than the store. */
  isRowAtFault(error: unknown): boolean
}

/**
 * Writes all good rows and gives up the others, in order: `k` bad rows in `n` cost about `2 k log
 * n` flushes. Each bad row is given up with the error of its own flush.
 * @throws errors of `flush` when no row is at fault, and errors of `giveUp`. Rows before that point
 * are written.
 */
export async function bisect<Row>(rows: readonly Row[], steps: BisectSteps<Row>): Promise<void> {
  await flushOrSplit(rows, steps, false)
}

/** @returns whether a row was given up. */
async function flushOrSplit<Row>(
  rows: readonly Row[],
  steps: BisectSteps<Row>,
  knownBad: boolean,
): Promise<boolean> {
  const [first] = rows
  if (first === undefined) return false
  // Rows known to hold a bad one would only fail again; a single row must have its own error.
  if (!knownBad || rows.length === 1) {
    try {
      await steps.flush(rows)
      return false
    } catch (error) {
      if (!steps.isRowAtFault(error)) throw error
      if (rows.length === 1) {
        await steps.giveUp(first, error)
        return true
      }
    }
  }
  const middle = rows.length >>> 1
  const leftBad = await flushOrSplit(rows.slice(0, middle), steps, false)
  const rightBad = await flushOrSplit(rows.slice(middle), steps, !leftBad)
  return leftBad || rightBad
}
