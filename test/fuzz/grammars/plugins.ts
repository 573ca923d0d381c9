/** Programs of plugins: short ones, which reach for what is not theirs. */
import type { Random } from '../../sim/random.ts'
import { jsonText, listOf } from './json.ts'
import { makeTrap } from './plugin-traps.ts'

const ROOTS: readonly string[] = [
  ...[
    'event',
    'meta',
    'globalThis',
    'Object',
    'Array',
    'Reflect',
    'JSON',
    'Promise',
    'Proxy',
    'Symbol',
    'console',
  ],
  ...[
    'meta.config',
    'meta.cache',
    'meta.storage',
    'meta.global',
    'meta.geoip',
    'posthog',
    'fetch',
    'require',
    'exports',
  ],
  ...[
    'Error',
    'URL',
    'TextEncoder',
    'Buffer',
    'crypto',
    'WeakRef',
    'ArrayBuffer',
    'Date',
    'Intl',
    'this',
    'arguments',
  ],
]
const MEMBERS: readonly string[] = [
  ...[
    'constructor',
    'prototype',
    '__proto__',
    'toString',
    'then',
    'toJSON',
    'get',
    'set',
    'capture',
    'length',
    'name',
  ],
  ...[
    'call',
    'apply',
    'bind',
    'caller',
    'stack',
    'prepareStackTrace',
    'iterator',
    'freeze',
    'defineProperty',
    'ownKeys',
  ],
]
const VALUES: readonly string[] = [
  ...[
    'null',
    'undefined',
    '0',
    '-0',
    'NaN',
    '1e308',
    '10n',
    '{}',
    '[]',
    '"x"',
    'Symbol("a")',
    '() => 1',
    'new Proxy({}, {})',
  ],
  ...[
    '"a".repeat(1e5)',
    'Array(1e4)',
    'new Array(2 ** 32 - 1)',
    'new Map()',
    'new Date(NaN)',
    '/(a+)+$/',
    'event',
    'meta',
  ],
  ...[
    'new Uint8Array(1e6)',
    '{ get a() { throw 1 } }',
    '{ toJSON() { return this } }',
    '{ then(f) { f(f) } }',
    'Promise.reject(1)',
  ],
  ...[
    '(function f() { return f() })',
    'new Error("x", { cause: event })',
    'Object.create(null)',
    'String(Math.random())',
  ],
]

/** CommonJS. */
export function makePlugin(random: Random): Buffer {
  if (random.chance(0.4)) return Buffer.from(makeTrap(random))
  const lines = [
    ...listOf(random, () => statement(random, 2), 3),
    ...(random.chance(0.3) ? [`exports.setupPlugin = async (meta) => { ${block(random)} }`] : []),
    `exports.processEvent = ${random.chance(0.7) ? 'async ' : ''}(event, meta) => { ${block(random)}; return ${expression(random, 2)} }`,
    ...(random.chance(0.2)
      ? [`exports.onEvent = async (event, meta) => { ${block(random)} }`]
      : []),
    ...(random.chance(0.1)
      ? [`exports.${random.pick(['jobs', 'metrics', 'teardownPlugin'])} = ${expression(random, 2)}`]
      : []),
  ]
  return Buffer.from(lines.join('\n'))
}

function block(random: Random): string {
  return listOf(random, () => statement(random, 2), 4).join('; ')
}

function statement(random: Random, depth: number): string {
  const inner = () => (depth > 0 ? statement(random, depth - 1) : `${expression(random, 1)}`)
  switch (random.integer(9)) {
    case 0:
      return `try { ${inner()} } catch (error) { ${inner()} }`
    case 1:
      return `for (let i = 0; i < ${random.pick([3, 100, 1e9])}; i++) { ${inner()} }`
    case 2:
      return `${place(random)} = ${expression(random, 2)}`
    case 3:
      return `await ${expression(random, 2)}`
    case 4:
      return `event.properties = ${expression(random, 2)}`
    case 5:
      return `var v${random.integer(3)} = ${expression(random, 2)}`
    case 6:
      return `throw ${expression(random, 1)}`
    default:
      return expression(random, 2)
  }
}

function place(random: Random): string {
  return `${random.pick(ROOTS)}[${JSON.stringify(random.pick(MEMBERS))}]`
}

function expression(random: Random, depth: number): string {
  if (depth === 0) return random.pick(VALUES)
  const inner = () => expression(random, depth - 1)
  switch (random.integer(8)) {
    case 0:
      return place(random)
    case 1:
      return `${place(random)}(${listOf(random, inner, 3).join(', ')})`
    case 2:
      return `new (${place(random)})(${inner()})`
    case 3:
      return `[${listOf(random, inner, 3).join(', ')}]`
    case 4:
      return `({ ${JSON.stringify(random.pick(MEMBERS))}: ${inner()} })`
    case 5:
      return `(${JSON.stringify(jsonText(random))} + ${inner()})`
    case 6:
      return `Object.defineProperty(${random.pick(ROOTS)}, ${JSON.stringify(random.pick(MEMBERS))}, { get() { return ${inner()} } })`
    default:
      return random.pick([...VALUES, ...ROOTS, 'event'])
  }
}
