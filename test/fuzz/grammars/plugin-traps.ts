/** Programs that lie about what they return, want too much, never end, or are none. */
import type { Random } from '../../sim/random.ts'
import { jsonText, listOf } from './json.ts'

const PIECES: readonly string[] = [
  ...['exports.processEvent', '=', '=>', '(', ')', '{', '}', '[', ']', ';', ',', '...', '?.', '#x'],
  ...[
    'async',
    'await',
    'function',
    'function*',
    'yield',
    'class',
    'extends',
    'super',
    'new',
    'let',
  ],
  ...['import', 'export default', 'with', 'label:', 'break', 'return', '`${', '`', '"', "'", '/*'],
  ...['*/', '//', '/(?<a>', '/u', '\\u{0}', '\\x', '<!--', '-->', '#!', '0777', '1n', '0b2', '@'],
  ...[
    'event',
    'static',
    'get',
    'set',
    'enum',
    'using',
    'debugger',
    'eval',
    'import.meta',
    '\u2028',
  ],
]

/** Values that replace an event, or a value in it. */
const LIES: readonly string[] = [
  'new Proxy(event, { get(t, k) { throw k } })',
  'new Proxy(event, { ownKeys() { return ["a", "a"] } })',
  'new Proxy(event, { ownKeys() { for (;;); } })',
  'new Proxy(event, { getOwnPropertyDescriptor() { return { value: 1 } } })',
  'new Proxy({}, { get: (t, k) => new Proxy({}, t), has: () => true })',
  'new Proxy([], { get: (t, k) => k === "length" ? 2 ** 53 : 1 })',
  'new Proxy(function () {}, { apply() { throw 1 } })',
  '(() => { const { proxy, revoke } = Proxy.revocable({}, {}); revoke(); return proxy })()',
  '({ get properties() { throw new Error("no") } })',
  '({ get properties() { return this } })',
  '({ event: { toString() { return "x" } }, distinct_id: { valueOf() { return 1 } } })',
  '({ ...event, toJSON() { for (;;); } })',
  '({ ...event, toJSON: 1, [Symbol.toPrimitive]() { throw 1 } })',
  '({ ...event, properties: { toString: null, valueOf: null } })',
  '({ ...event, uuid: event.uuid + "x", team_id: -1, timestamp: {} })',
  '({ ...event, event: "x".repeat(2e6) })',
  '({ ...event, event: "\\ud800", distinct_id: "\\0" })',
  '(event.properties.self = event, event)',
  '((e) => { let v = e; for (let i = 0; i < 1e5; i++) v = { v }; e.properties = { v }; return e })(event)',
  'Object.setPrototypeOf(event, null)',
  'Object.freeze(Object.defineProperty(event, "event", { get() { return Symbol() } }))',
  'Object.assign(Object.create({ event: "inherited" }), event)',
  'Object.assign([], event)',
  'Object.assign(() => {}, event)',
  '[event, event]',
  'new Map(Object.entries(event))',
  'new String("x")',
  'new (class extends Array { get length() { return NaN } })()',
  '{ properties: new Date(NaN) }',
  'Symbol.iterator',
  '2n ** 64n',
]

const GREEDY: readonly string[] = [
  'for (;;) v.push(v.slice())',
  'let s = "x"; for (;;) s += s',
  'new Array(1e9).fill(0)',
  'new ArrayBuffer(2 ** 40)',
  'v.push(...Array.from({ length: 1e6 }, (_, i) => ({ i })))',
  '"x".padEnd(2 ** 30)',
  'new Map(Array.from({ length: 1e6 }, (_, i) => [i, i]))',
  'JSON.parse("[".repeat(1e6))',
  'JSON.stringify(Array(1e7))',
  '(10n ** 10n) ** 1000n ** 2n',
  '"a".repeat(1e5).split("").map((c) => c.repeat(1e3))',
  'RegExp("(".repeat(1e5) + ")".repeat(1e5))',
  '/(a*)*b/.test("a".repeat(1e5))',
  'structuredClone(globalThis)',
  'for (let i = 0; i < 1e6; i++) console.log("x".repeat(1e3))',
  'for (let i = 0; i < 1e5; i++) posthog.capture("x".repeat(i))',
  'for (let i = 0; i < 1e5; i++) meta.storage.set("k" + i, i)',
  'for (let i = 0; i < 1e5; i++) fetch("http://x/" + i)',
]

const RECURSIVE: readonly string[] = [
  '(function f() { return f() + 1 })()',
  '(function f(n) { try { f(n + 1) } catch { f(n + 1) } })(0)',
  'const a = { get b() { return a.b } }; a.b',
  'const a = []; a.toString = () => String(a); String(a)',
  'const a = []; a[0] = a; JSON.stringify(a)',
  'let a = {}; for (let i = 0; i < 1e6; i++) a = { a }; JSON.stringify(a)',
  '"x".replace(/x/, function f() { return "x".replace(/x/, f) })',
  '[3, 1, 2].sort(function f() { return [3, 1, 2].sort(f).length })',
  'class A { constructor() { new A() } }; new A()',
  'const p = new Proxy({}, { get: (t, k, r) => r[k] }); p.x',
  'Reflect.apply(function f() { Reflect.apply(f, null, []) }, null, [])',
  'function* g() { yield* g() } [...g()]',
]

const ENDLESS: readonly string[] = [
  'await new Promise(() => {})',
  'await { then() {} }',
  'await { then(f) { f(this) } }',
  'await Promise.race([])',
  'await Promise.all([new Promise(() => {}), Promise.reject(1)])',
  'for await (const x of { [Symbol.asyncIterator]: () => ({ next: () => new Promise(() => {}) }) });',
  'for (;;) await null',
  'const again = () => { Promise.resolve().then(again) }; again()',
  'Promise.reject(new Error("nobody catches it"))',
  'setTimeout(() => { for (;;); }, 0)',
  'await Promise.any(Array(1e4).fill(Promise.reject(1)))',
  'Promise.prototype.then = () => {}',
  'Object.prototype.then = (f) => f(1)',
  'await (async function f() { await f() })()',
]

/** A program of one of these kinds, sometimes of several. */
export function makeTrap(random: Random): string {
  if (random.chance(0.2)) return garbage(random)
  const body = listOf(random, () => trap(random), 3)
  const isAsync = random.chance(0.8)
  const usable = isAsync ? body : body.filter((line) => !line.includes('await'))
  const lies = random.chance(0.5) ? random.pick(LIES) : 'event'
  const hook = random.pick(['processEvent', 'processEvent', 'processEvent', 'processEventBatch'])
  const lines = [
    'const v = []',
    random.chance(0.1) ? trap(random).replaceAll('await ', '') : '',
    `exports.${hook} = ${isAsync ? 'async ' : ''}(event, meta) => {`,
    ...usable.map((line) =>
      random.chance(0.5) ? `try { ${line} } catch (e) { v.push(e) }` : line,
    ),
    random.chance(0.2) ? `event.properties.x = ${random.pick(LIES)}` : '',
    `return ${random.chance(0.1) ? `Promise.resolve(${lies})` : lies}`,
    '}',
  ]
  return lines.filter((line) => line !== '').join('\n')
}

function trap(random: Random): string {
  return random.pick(random.pick([GREEDY, RECURSIVE, ENDLESS]))
}

/** Nearly or not at all a program. */
function garbage(random: Random): string {
  const pieces = listOf(
    random,
    () => (random.chance(0.1) ? jsonText(random) : random.pick(PIECES)),
    random.chance(0.05) ? 3_000 : 40,
  )
  const text = pieces.join(random.pick(['', ' ', '\n']))
  if (random.chance(0.5)) return text
  const deep = random.pick(['(', '[', '{', '`${', '!', '-', 'a?b:', '()=>', 'new ', '{a:', 'if(1)'])
  return `exports.processEvent = (event) => { ${text} }\n${deep.repeat(random.integer(50_000))}`
}
