/** The entries of a sandbox, which the thread calls, and the search for a plugin's functions. */
import type { Kit } from './kit.ts'
import type { MetaInput } from './meta.ts'

type Called = (...values: unknown[]) => unknown
/** Runs the module once and returns its top-level names. */
export type Evaluate = (
  exports: object,
  module: { exports: unknown },
  require: (name: string) => unknown,
) => { readonly [name: string]: unknown } | undefined

/** The functions that the thread calls. All answer by `native`, except `load`. */
export type Entries = {
  /** @returns the capabilities as JSON, or `error` with the module's exception. */
  load(evaluate: Evaluate, input: string): string
  start(call: number, name: string, text: string): void
  settle(id: number, isOk: number, text: string): void
  /** `[0]` rises with each event that begins; `[1]` has the answers of the batch so far. */
  readonly progress: object
}

type Exported = {
  readonly methods: Map<string, Called>
  readonly jobs: Map<string, Called>
}

type Progress = { 0: number; 1: Record<number, string> }

/** The functions that the entries use, inside the sandbox. */
export type EntryParts = {
  createMeta(kit: Kit, input: MetaInput): object
  readonly createProcessing: typeof createProcessing
  readonly exportsOf: typeof exportsOf
}

export function createEntries(
  kit: Kit,
  { createMeta, createProcessing, exportsOf }: EntryParts,
): Entries {
  const { native, describe } = kit
  const { parse, stringify } = JSON
  // Without a prototype, so that no setter or getter of the plugin can run.
  const progress: Progress = Object.create(null)
  progress[0] = 0
  let exported: Exported = { methods: new Map(), jobs: new Map() }
  let meta: object = {}

  const processAll = createProcessing(kit, progress)
  const callOne = async (name: string, text: string): Promise<string> => {
    if (name.startsWith('job:')) {
      await exported.jobs.get(name.slice(4))?.(parse(text), meta)
    } else if (name === 'onEvent' || name === 'exportEvents') {
      await exported.methods.get(name)?.(parse(text), meta)
    } else {
      await exported.methods.get(name)?.(meta)
    }
    return ''
  }

  return {
    progress,
    load(evaluate, input) {
      try {
        exported = exportsOf(kit, evaluate)
      } catch (error) {
        return `{"error":${describe(error)}}`
      }
      const given: Omit<MetaInput, 'jobs'> = parse(input)
      const jobs = [...exported.jobs.keys()]
      meta = createMeta(kit, { ...given, jobs })
      return stringify({ methods: [...exported.methods.keys()], jobs })
    },
    start(call, name, text) {
      const calling = name === 'process' ? processAll(text, exported, meta) : callOne(name, text)
      calling.then(
        (answer) => native.done(call, answer),
        (error: unknown) => native.fail(call, describe(error)),
      )
    },
    settle(id, isOk, text) {
      kit.settle(id, isOk === 1, text)
    },
  }
}

type ProcessAll = (text: string, exported: Exported, meta: object) => Promise<string>

/** Calls `processEvent` with each event of a batch. Its answers are one text, joined by commas. */
export function createProcessing({ limits, describe }: Kit, progress: Progress): ProcessAll {
  const { parse, stringify } = JSON
  const processOne = (exported: Exported): Called => {
    const one = exported.methods.get('processEvent')
    if (one !== undefined) return one
    const batch = exported.methods.get('processEventBatch')
    if (batch === undefined) throw new Error('the plugin processes no events')
    const first = (events: unknown) =>
      events === undefined ? null : Reflect.get(Object(events), 0)
    return (event, given) => {
      const events = batch([event], given)
      return events instanceof Promise ? events.then(first) : first(events)
    }
  }
  /** `[event]` for a kept event, 0 for a dropped one. */
  const answerOf = (result: unknown, charsLeft: number): string => {
    if (result === null || result === undefined) return '0'
    const text = stringify([result])
    if (text.length - 2 > limits.eventChars) {
      throw new RangeError(`after the call the event has more than ${limits.eventChars} characters`)
    }
    if (text.length <= charsLeft) return text
    throw new RangeError('the events of a batch became too large')
  }
  return async (text, exported, meta) => {
    const answers: Record<number, string> = Object.create(null)
    progress[1] = answers
    const events: unknown[] = parse(text)
    const process = processOne(exported)
    let out = ''
    for (let at = 0; at < events.length; at++) {
      progress[0] += 1
      let answer: string
      try {
        const event = events[at]
        events[at] = undefined
        let result = process(event, meta)
        if (result !== null && typeof result === 'object' && 'then' in result) {
          result = await result
        }
        answer = answerOf(result, limits.answerChars - out.length)
      } catch (error) {
        answer = describe(error)
      }
      answers[at] = answer
      if (at > 0) out += ','
      out += answer
    }
    return out
  }
}

/** Searches `exports`, its `default`, `module.exports`, and the top-level declarations. */
export function exportsOf({ modules }: Kit, evaluate: Evaluate): Exported {
  const METHODS = [
    'setupPlugin',
    'teardownPlugin',
    'processEvent',
    'processEventBatch',
    'onEvent',
    'exportEvents',
  ]
  const SCHEDULES = ['runEveryMinute', 'runEveryHour', 'runEveryDay']
  const require = (name: string) => {
    const found = modules.get(String(name))
    if (found !== undefined) return found
    throw new Error(`Cannot import "${String(name).slice(0, 200)}": plugins may not.`)
  }
  const exports: { default?: unknown } = {}
  const module: { exports: unknown } = { exports }
  const declared = evaluate(exports, module, require) ?? {}
  const places = [
    exports,
    exports.default,
    module.exports,
    Reflect.get(Object(module.exports), 'default'),
    declared,
  ]
  const find = (name: string): unknown => {
    for (const place of places) {
      const isPlace = (typeof place === 'object' && place !== null) || typeof place === 'function'
      const value: unknown = isPlace ? Reflect.get(place, name) : undefined
      if (value !== undefined) return value
    }
    return Reflect.get(globalThis, name)
  }
  const methods = new Map<string, Called>()
  for (const name of METHODS) {
    const value = find(name)
    if (typeof value === 'function') methods.set(name, value as Called)
  }
  for (const name of SCHEDULES) {
    const value = find(name)
    if (value === undefined || value === null) continue
    if (typeof value !== 'function') throw new TypeError(`${name} is not a function.`)
    methods.set(name, value as Called)
  }
  const jobs = new Map<string, Called>()
  for (const [name, value] of Object.entries(Object(find('jobs') ?? {}))) {
    if (typeof value !== 'function') throw new TypeError(`The job ${name} is not a function.`)
    if (name.length <= 200 && jobs.size < 200) jobs.set(name, value as Called)
  }
  return { methods, jobs }
}
