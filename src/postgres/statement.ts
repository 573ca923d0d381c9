/** Statements as tagged templates of ours: they meet a connection only when they are sent. */
import type { PendingQuery, RowList, SerializableParameter, UnsafeQueryOptions } from 'postgres'
import { assert } from '../core/code.ts'
import type { Db, Parameter, Part, ResultRows, Statement } from '../core/sql.ts'
import type { Driver, Work } from './session.ts'

/** Sends a statement on a connection of its choice. */
export type Run = <T>(work: Work<T>) => Promise<T>

type Values = readonly Parameter[]

export function createDb(run: Run): Db {
  function tag(name: string): Part
  function tag<T extends ResultRows>(strings: TemplateStringsArray, ...values: Values): Statement<T>
  function tag<T extends ResultRows>(
    first: string | TemplateStringsArray,
    ...values: Values
  ): Part {
    return typeof first === 'string'
      ? new Name(first)
      : new TemplateStatement<T>(run, first, values)
  }
  return Object.assign(tag, {
    unsafe: <T extends ResultRows>(
      text: string,
      parameters: readonly SerializableParameter<bigint>[] = [],
      options: UnsafeQueryOptions = {},
    ): Statement<T> => new TextStatement<T>(run, text, parameters, options),
  })
}

/** The name of a table or a column. */
class Name implements Part {
  readonly isPart = true
  readonly #name: string

  constructor(name: string) {
    this.#name = name
  }

  build(driver: Driver) {
    return driver(this.#name)
  }
}

abstract class PoolStatement<T extends ResultRows> implements Statement<T>, Work<RowList<T>> {
  readonly isPart = true
  readonly #run: Run
  #sent: Promise<RowList<T>> | undefined

  constructor(run: Run) {
    this.#run = run
  }

  get [Symbol.toStringTag](): string {
    return 'Statement'
  }

  abstract readonly origin: Error | undefined
  abstract build(driver: Driver): PendingQuery<T>

  execute(): this {
    this.#send().catch(() => {
      // The caller that awaits the statement gets the error.
    })
    return this
  }

  // biome-ignore lint/suspicious/noThenProperty: sent when it is first waited for.
  then<A = RowList<T>, B = never>(
    onResolved?: ((rows: RowList<T>) => A | PromiseLike<A>) | null,
    onRejected?: ((reason: unknown) => B | PromiseLike<B>) | null,
  ): Promise<A | B> {
    return this.#send().then(onResolved, onRejected)
  }

  catch<B = never>(
    onRejected?: ((reason: unknown) => B | PromiseLike<B>) | null,
  ): Promise<RowList<T> | B> {
    return this.#send().catch(onRejected)
  }

  finally(onSettled?: (() => void) | null): Promise<RowList<T>> {
    return this.#send().finally(onSettled)
  }

  #send(): Promise<RowList<T>> {
    this.#sent ??= this.#run<RowList<T>>(this)
    return this.#sent
  }
}

class TemplateStatement<T extends ResultRows> extends PoolStatement<T> {
  readonly origin: Error
  readonly #strings: TemplateStringsArray
  readonly #values: Values

  constructor(run: Run, strings: TemplateStringsArray, values: Values) {
    super(run)
    this.origin = originOf(strings)
    this.#strings = strings
    this.#values = values
  }

  build(driver: Driver): PendingQuery<T> {
    return driver<T>(this.#strings, ...this.#values.map((value) => valueFor(driver, value)))
  }
}

class TextStatement<T extends ResultRows> extends PoolStatement<T> {
  readonly origin = undefined
  readonly #text: string
  readonly #parameters: readonly SerializableParameter<bigint>[]
  readonly #options: UnsafeQueryOptions

  constructor(
    run: Run,
    text: string,
    parameters: readonly SerializableParameter<bigint>[],
    options: UnsafeQueryOptions,
  ) {
    super(run)
    this.#text = text
    this.#parameters = parameters
    this.#options = options
  }

  build(driver: Driver): PendingQuery<T> {
    return driver.unsafe<T>(this.#text, [...this.#parameters], this.#options)
  }
}

function valueFor(driver: Driver, value: Parameter) {
  if (value instanceof PoolStatement || value instanceof Name) return value.build(driver)
  assert(!isPart(value), 'parts of statements are made in this file')
  return value
}

function isPart(value: Parameter): value is Part {
  return typeof value === 'object' && value !== null && 'isPart' in value
}

const origins = new WeakMap<TemplateStringsArray, Error>()
/** The three that make a statement, and those that lead to its template. */
const ORIGIN_FRAMES = 6

/** Error whose stack shows the place of a template in the source; made once for each. */
function originOf(strings: TemplateStringsArray): Error {
  const known = origins.get(strings)
  if (known !== undefined) return known
  const limit = Error.stackTraceLimit
  Error.stackTraceLimit = ORIGIN_FRAMES
  const origin = new Error('in this statement')
  Error.stackTraceLimit = limit
  origins.set(strings, origin)
  return origin
}
