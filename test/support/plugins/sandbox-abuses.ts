/** Hostile plugin code that the sandbox must withstand. */
export type Outcome = 'kept' | 'dropped' | 'failed' | 'timeout' | 'refused' | 'refused late'

/** Attempt of a hostile plugin, and its expected outcome. */
export type Abuse = {
  readonly name: string
  /** Where the idea is known from. */
  readonly idea: string
  readonly code: string
  /** Where there are several, the speed of the machine decides. */
  readonly outcome: Outcome | readonly Outcome[]
  /** Matches the event that is kept, or the message. */
  readonly value?: unknown
}

const VM2 = 'vm2 advisories'
const NODE_VM = 'node:vm escapes'
const POLLUTION = 'prototype pollution'
const SERIALIZE = 'serialisation traps'

/** The event is returned with what the expression gives. */
function probe(expression: string): string {
  return `exports.processEvent = async (event) => {
    let got
    try { got = await (${expression}) } catch (error) { got = 'threw ' + error.name }
    event.properties = { got: String(got) }
    return event
  }`
}

function returns(expression: string): string {
  return `exports.processEvent = (event) => (${expression})`
}

export function runs(body: string): string {
  return `exports.processEvent = async (event) => { ${body}\n return event }`
}

function got(value: unknown) {
  return { properties: { got: value } }
}

/** Ways out of the sandbox, and lies about what is returned. */
export const ABUSES: readonly Abuse[] = [
  {
    name: 'the constructor of a constructor makes no code',
    idea: NODE_VM,
    code: probe(`({}).constructor.constructor('return process')()`),
    outcome: 'kept',
    value: got('threw EvalError'),
  },
  {
    name: 'Function makes no code',
    idea: NODE_VM,
    code: probe(`Function('return this')()`),
    outcome: 'kept',
    value: got('threw EvalError'),
  },
  {
    name: 'async and generator functions make no code',
    idea: VM2,
    code: probe(`[async () => {}, function* () {}, async function* () {}].map((each) => {
      try { each.constructor('return 1') } catch (error) { return error.name }
    })`),
    outcome: 'kept',
    value: got('EvalError,EvalError,EvalError'),
  },
  {
    name: 'eval runs nothing, directly or not',
    idea: NODE_VM,
    code: probe(`[() => eval('1'), () => (0, eval)('1')].map((each) => {
      try { return each() } catch (error) { return error.name }
    })`),
    outcome: 'kept',
    value: got('EvalError,EvalError'),
  },
  {
    name: 'Reflect.construct makes no code',
    idea: VM2,
    code: probe(`Reflect.construct(Function.prototype.constructor, ['return 1'])()`),
    outcome: 'kept',
    value: got('threw EvalError'),
  },
  {
    name: 'there is no process, no require of Node, no global of Node',
    idea: NODE_VM,
    code: probe(`[typeof process, typeof global, typeof setTimeout, typeof WebAssembly,
      typeof __dirname, typeof Deno, typeof os, typeof std].join()`),
    outcome: 'kept',
    value: got(Array.from({ length: 8 }, () => 'undefined').join()),
  },
  {
    name: 'require of a module of Node is refused',
    idea: VM2,
    code: `require('child_process').execSync('id')`,
    outcome: 'refused',
    value: /Cannot import "child_process"/,
  },
  {
    name: 'import() finds nothing',
    idea: VM2,
    code: probe(`import('fs')`),
    outcome: 'kept',
    value: got(/^threw /),
  },
  {
    name: 'import() of a file finds nothing',
    idea: NODE_VM,
    code: probe(`import('/etc/passwd')`),
    outcome: 'kept',
    value: got(/^threw /),
  },
  {
    name: 'the caller of a function is hidden',
    idea: VM2,
    code: probe(`(function inner() { return inner.caller ?? arguments.callee.caller })()`),
    outcome: 'kept',
    value: got(/undefined|threw TypeError/),
  },
  {
    name: 'Error.prepareStackTrace sees no frames of the server',
    idea: VM2,
    code: probe(`(() => {
      Error.prepareStackTrace = (error, frames) => frames
      const { stack } = new Error('x')
      return typeof stack === 'string' ? stack.includes('node') : stack[0].getThis()
    })()`),
    outcome: 'kept',
    value: got(/false|undefined|threw/),
  },
  {
    name: 'a function of the server has no way out by its constructor',
    idea: VM2,
    code: probe(`console.log.constructor('return process')()`),
    outcome: 'kept',
    value: got('threw EvalError'),
  },
  {
    name: 'an error thrown by the server is of the sandbox',
    idea: VM2,
    code: probe(`(() => {
      try { new URL('no url') } catch (error) { return error.constructor.constructor('return process')() }
    })()`),
    outcome: 'kept',
    value: got('threw EvalError'),
  },
  {
    name: 'a rejected promise of the server is of the sandbox',
    idea: 'CVE-2023-37466',
    code: probe(`fetch('x', { method: { toString() { throw 1 } } })
      .then(() => 0, () => Promise.reject.constructor.name)`),
    outcome: 'kept',
    value: got('Function'),
  },
  {
    name: 'a species of a promise is not handed anything of the server',
    idea: 'CVE-2023-29017',
    code: probe(`(() => {
      let leaked = 'nothing'
      class Sly extends Promise {
        constructor(run) { super((ok, no) => run((v) => { leaked = typeof v; ok(v) }, no)) }
      }
      const p = fetch('https://example.com')
      p.constructor = { [Symbol.species]: Sly }
      return p.then(() => leaked)
    })()`),
    outcome: 'kept',
  },
  {
    name: 'a proxy around an error that lies is described all the same',
    idea: 'CVE-2023-30547',
    code: runs(`throw new Proxy(new Error('x'), {
      get() { throw new Error('no') }, getPrototypeOf() { throw (() => {}).constructor },
    })`),
    outcome: 'failed',
  },
  {
    name: 'what is thrown need not be an error',
    idea: SERIALIZE,
    code: runs(`throw { toString() { throw { toString: null } } }`),
    outcome: 'failed',
  },
  {
    name: 'a thrown symbol is described',
    idea: SERIALIZE,
    code: runs(`throw Symbol('boom')`),
    outcome: 'failed',
    value: /boom/,
  },
  {
    name: 'the prototype of objects is its own',
    idea: POLLUTION,
    code: runs(`Object.prototype.polluted = 'yes'; Array.prototype.polluted = 'yes'`),
    outcome: 'kept',
  },
  {
    name: 'a key __proto__ is data',
    idea: POLLUTION,
    code: runs(`event.properties = JSON.parse('{"__proto__":{"polluted":"yes"}}')`),
    outcome: 'kept',
  },
  {
    name: 'constructor.prototype as keys is data',
    idea: POLLUTION,
    code: runs(`event.properties = { constructor: { prototype: { polluted: 'yes' } } }`),
    outcome: 'kept',
    value: { properties: { constructor: { prototype: { polluted: 'yes' } } } },
  },
  {
    name: 'an own JSON does not forge answers',
    idea: SERIALIZE,
    code: runs(
      `JSON.stringify = () => '],0,0,['; JSON.parse = () => null; event.properties = { a: 1 }`,
    ),
    outcome: 'kept',
    value: { properties: { a: 1 } },
  },
  {
    name: 'own methods of arrays, texts and promises do not forge answers',
    idea: SERIALIZE,
    code: runs(`Array.prototype.push = Array.prototype.join = String.prototype.slice = () => '],0,['
      Map.prototype.get = () => () => 0; event.properties = { a: 1 }`),
    outcome: 'kept',
    value: { properties: { a: 1 } },
  },
  {
    name: 'a setter under every list fails the event',
    idea: SERIALIZE,
    code: runs(
      `Object.defineProperty(Array.prototype, '0', { set() { throw 1 }, configurable: true })`,
    ),
    outcome: ['failed', 'kept'],
  },
  {
    name: 'a then of promises that does nothing costs the plugin its time',
    idea: SERIALIZE,
    code: `Promise.prototype.then = () => {}; exports.processEvent = (event) => event`,
    outcome: 'timeout',
  },
  {
    name: 'toJSON that returns something else is what is returned',
    idea: SERIALIZE,
    code: returns(`{ toJSON: () => ({ event: 'other' }) }`),
    outcome: 'kept',
    value: { event: 'other' },
  },
  {
    name: 'toJSON that throws fails the event',
    idea: SERIALIZE,
    code: returns(`{ toJSON() { throw new Error('json') } }`),
    outcome: 'failed',
    value: 'json',
  },
  {
    name: 'a getter on the event that throws fails the event',
    idea: SERIALIZE,
    code: returns(
      `Object.defineProperty(event, 'uuid', { enumerable: true, get() { throw new Error('get') } })`,
    ),
    outcome: 'failed',
    value: 'get',
  },
  {
    name: 'a getter on the event that never ends is cut',
    idea: SERIALIZE,
    code: returns(
      `Object.defineProperty(event, 'uuid', { enumerable: true, get() { for (;;); } })`,
    ),
    outcome: 'timeout',
  },
  {
    name: 'a proxy that answers without end is cut',
    idea: SERIALIZE,
    code: returns(`new Proxy({}, { ownKeys() { for (;;); } })`),
    outcome: 'timeout',
  },
  {
    name: 'a proxy that invents itself at every level fails',
    idea: SERIALIZE,
    code: returns(
      `(function deep() { return new Proxy({ a: 1 }, { get: (target, key) => key === 'toJSON' ? undefined : deep() }) })()`,
    ),
    outcome: ['failed', 'timeout'],
  },
  {
    name: 'a thenable that never settles is cut',
    idea: 'thenables',
    code: returns(`{ then() {} }`),
    outcome: 'timeout',
  },
  {
    name: 'a thenable that settles twice is taken once',
    idea: 'thenables',
    code: returns(`{ then(done) { done({ event: 'one' }); done({ event: 'two' }) } }`),
    outcome: 'kept',
    value: { event: 'one' },
  },
  {
    name: 'a getter then that throws fails the event',
    idea: 'thenables',
    code: returns(`{ get then() { throw new Error('then') } }`),
    outcome: 'failed',
    value: 'then',
  },
  {
    name: 'a circle fails the event',
    idea: SERIALIZE,
    code: runs(`event.self = event`),
    outcome: 'failed',
    value: /circular/i,
  },
  {
    name: 'a BigInt fails the event',
    idea: SERIALIZE,
    code: runs(`event.properties.big = 1n`),
    outcome: 'failed',
    value: /bigint/i,
  },
  {
    name: 'symbols and functions are left out',
    idea: SERIALIZE,
    code: runs(`event.properties = { a: Symbol('x'), b() {}, [Symbol('k')]: 1, c: 1 }`),
    outcome: 'kept',
    value: { properties: { c: 1 } },
  },
  {
    name: 'a function as the event is for the caller to refuse',
    idea: SERIALIZE,
    code: returns(`() => event`),
    outcome: 'kept',
  },
  {
    name: 'Symbol.toPrimitive that never ends is cut',
    idea: SERIALIZE,
    code: runs(
      `console.log({ [Symbol.toPrimitive]() { for (;;); }, toJSON() { return undefined } })`,
    ),
    outcome: 'timeout',
  },
]
