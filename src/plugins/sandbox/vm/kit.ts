/**
 * Code for the inside of a sandbox. Each `install…` here and in the files beside is handed in as
 * its own text, so that it may use nothing but its arguments, the language, and what stands in its
 * body. Whatever a plugin breaks of it, it breaks for itself alone.
 */

/** What crosses the boundary. */
export type Plain = string | number | undefined | ArrayBuffer

/** What the thread answers at once. All are pure but `log`, `call` and the ends of calls. */
export type Native = {
  log(type: string, message: string): void
  /** Asks the server. @returns the number under which `settle` answers; throws over a bound. */
  call(op: string, args: string): number
  /** `text` answers a batch of events. */
  done(call: number, text: string): void
  fail(call: number, error: string): void
  attachment(key: string): ArrayBuffer
  encode(text: string, encoding: string): ArrayBuffer
  decode(bytes: ArrayBuffer, encoding: string): string
  hash(algorithm: string, key: ArrayBuffer | undefined, data: Plain): ArrayBuffer
  random(bytes: number): ArrayBuffer
  uuid(): string
  zip(operation: string, bytes: ArrayBuffer): ArrayBuffer
  /** The parts of a URL as JSON; undefined when it is none. */
  url(input: string, base: string | undefined, part: string, value: string): string | undefined
}

export type VmLimits = {
  readonly logChars: number
  readonly eventChars: number
  readonly answerChars: number
  readonly errorChars: number
  readonly stackChars: number
}

/** `name`, `message`, `stack` and whether it is a `RetryError`, as JSON. */
export type Describe = (thrown: unknown) => string

export type Kit = {
  readonly native: Native
  readonly limits: VmLimits
  readonly describe: Describe
  /** Sets a global that does not show up in loops over them. */
  define(name: string, value: unknown): void
  /** What a plugin may import, by name. */
  readonly modules: Map<string, unknown>
  /** Promises of the server's answers. */
  ask(op: string, args: unknown): Promise<unknown>
  settle(id: number, isOk: boolean, text: string): void
}

export function createKit(native: Native, limits: VmLimits): Kit {
  const { parse, stringify } = JSON
  class RetryError extends Error {
    override name = 'RetryError'
  }
  /** Reading anything of what was thrown may throw again. */
  const read = (thrown: unknown, key: string, max: number): string | undefined => {
    try {
      const value: unknown = Reflect.get(Object(thrown), key)
      return typeof value === 'string' ? value.slice(0, max) : undefined
    } catch {
      return undefined
    }
  }
  const textOf = (value: unknown): string => {
    try {
      return String(value).slice(0, limits.errorChars)
    } catch {
      return 'something that is no text was thrown'
    }
  }
  const describeOrThrow = (thrown: unknown): string => {
    const isObject = typeof thrown === 'object' && thrown !== null
    const name = (isObject ? read(thrown, 'name', 200) : undefined) ?? 'Error'
    const given = isObject ? read(thrown, 'message', limits.errorChars) : undefined
    const message = given ?? textOf(thrown)
    const places = isObject ? read(thrown, 'stack', limits.stackChars) : undefined
    const own = (places ?? '').replace(/^.*\(sandbox\.js:\d+:\d+\)\n?/gm, '')
    const stack = `${name}: ${message}\n${own}`.slice(0, limits.stackChars)
    return stringify({ name, message, stack, isRetry: name === 'RetryError' })
  }
  const describe: Describe = (thrown) => {
    try {
      return describeOrThrow(thrown)
    } catch {
      return '{"name":"Error","message":"what was thrown cannot be described"}'
    }
  }

  type Waiting = { resolve: (value: unknown) => void; reject: (error: Error) => void }
  const waiting = new Map<number, Waiting>()
  const define = (name: string, value: unknown) => {
    Object.defineProperty(globalThis, name, { value, writable: true, configurable: true })
  }
  define('RetryError', RetryError)
  return {
    native,
    limits,
    describe,
    define,
    modules: new Map(),
    ask: (op, args) =>
      new Promise((resolve, reject) => {
        const id = native.call(op, stringify(args))
        waiting.set(id, { resolve, reject })
      }),
    settle(id, isOk, text) {
      const waits = waiting.get(id)
      if (waits === undefined) return
      waiting.delete(id)
      if (isOk) waits.resolve(text === '' ? undefined : parse(text))
      else waits.reject(new Error(text))
    },
  }
}

/** No code from texts: `eval` is gone, and the constructors of functions throw. */
export function installNoCodegen(kit: Kit): void {
  const refuse = () => {
    throw new EvalError('Code from texts is off in plugins.')
  }
  const samples = [() => {}, async () => {}, function* any() {}, async function* any() {}]
  for (const sample of samples) {
    const prototype: object = Object.getPrototypeOf(sample)
    const refusing = function refusing() {
      refuse()
    }
    Object.defineProperty(refusing, 'name', { value: 'Function' })
    Object.defineProperty(refusing, 'prototype', { value: prototype, writable: false })
    Object.defineProperty(prototype, 'constructor', { value: refusing, writable: false })
    if (prototype === Function.prototype) kit.define('Function', refusing)
  }
  kit.define('eval', refuse)
}
