/**
 * Code for the inside of a sandbox. The text of each `install…` function, here and in the files
 * beside, goes into the sandbox. It may use only its arguments, the language, and what its body
 * declares. A plugin that breaks any of it breaks it for itself only.
 */

/** The values that cross the border of a sandbox. */
export type Plain = string | number | undefined | ArrayBuffer

/** The functions of the thread. All are pure except `log`, `call` and the ends of calls. */
export type Native = {
  log(type: string, message: string): void
  /**
   * Calls the server.
   * @returns the number under which `settle` answers; throws past a bound.
   */
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
  /** The parts of a URL as JSON; undefined for a text that is no URL. */
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
  /** Sets a global that loops over globals leave out. */
  define(name: string, value: unknown): void
  /** The modules that a plugin may import, by name. */
  readonly modules: Map<string, unknown>
  /** Calls the server and resolves with its answer. */
  ask(op: string, args: unknown): Promise<unknown>
  settle(id: number, isOk: boolean, text: string): void
}

export function createKit(native: Native, limits: VmLimits): Kit {
  const { parse, stringify } = JSON
  class RetryError extends Error {
    override name = 'RetryError'
  }
  /** Reading a property of a thrown value may throw again. */
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
      return 'something that is not a text was thrown'
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

/** Forbids code from texts: `eval` is removed, and the constructors of functions throw. */
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
