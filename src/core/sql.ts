/** Types of database statements. Pools and their driver: `src/postgres`. */
import type { Row, RowList, SerializableParameter } from 'postgres'

export type ResultRows = (object | undefined)[]

/** Part of the text of a statement: the name of a table or column, or another statement. */
export interface Part {
  readonly isPart: true
}

/** Sent when it is first awaited. As a value of another statement it becomes part of its text. */
export interface Statement<T extends ResultRows = Row[]> extends Promise<RowList<T>>, Part {
  /** Sends it now. */
  execute(): this
}

export type Parameter = SerializableParameter<bigint> | Part

/** A pool or a transaction. */
export interface Db {
  <T extends ResultRows = Row[]>(
    strings: TemplateStringsArray,
    ...values: readonly Parameter[]
  ): Statement<T>
  (name: string): Part
  /** `text` is not escaped. With `prepare`, the server keeps its plan. */
  unsafe<T extends ResultRows = Row[]>(
    text: string,
    parameters?: readonly Parameter[],
    options?: { readonly prepare?: boolean },
  ): Statement<T>
}

export interface Sql extends Db {
  /**
   * Runs one transaction on a connection of its own; commits when `work` resolves and no statement
   * of it failed. `mode` is as in `begin <mode>`.
   */
  begin<T>(work: (tx: Db) => PromiseLike<T>): Promise<T>
  begin<T>(mode: string, work: (tx: Db) => PromiseLike<T>): Promise<T>
  /**
   * The same connections for a caller who may leave. When `signal` aborts, running statements
   * reject with `cancelled`, or with the signal's own failure, and their connection ends; the
   * server then ends the statement, at once where the pool `endsWithCallers`. Only for reads.
   */
  withSignal(signal: AbortSignal): Sql
  /**
   * Ends the pool when its statements are done, or after `timeout` seconds: statements that still
   * wait reject, their outcome unknown.
   */
  end(options?: { readonly timeout?: number }): Promise<void>
}
