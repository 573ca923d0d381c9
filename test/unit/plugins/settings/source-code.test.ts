import t from 'tap'
import { createSourceCompiler } from '../../../../src/plugins/settings/source-code.ts'

const ts = (source: string) => ({ kind: 'source', file: 'index.ts', source }) as const
const js = (source: string) => ({ kind: 'source', file: 'index.js', source }) as const

/** Exports of the compiled module, with its requires. */
function run(compiled: string | null): { exports: Record<string, unknown>; required: string[] } {
  const module = { exports: {} as Record<string, unknown> }
  const required: string[] = []
  const require = (name: string) => {
    required.push(name)
    return { default: name }
  }
  new Function('exports', 'module', 'require', compiled ?? '')(module.exports, module, require)
  return { exports: module.exports, required }
}

t.test('types are stripped and modules become CommonJS', async (t) => {
  const compile = createSourceCompiler()
  const { compiled, error } = await compile(
    ts(`import type { Meta } from '@posthog/plugin-scaffold'
        import { createHash } from 'crypto'
        type Event = { event: string }
        export const name = 'Größe' as const satisfies string
        export function processEvent(event: Event, meta?: Meta): Event { return event }
        export const hash = createHash`),
  )
  t.equal(error, null)
  const { exports, required } = run(compiled)
  t.same(required, ['crypto'], 'types alone import nothing')
  t.equal(exports['name'], 'Größe')
  t.type(exports['processEvent'], 'function')
})

t.test('JavaScript is taken as it is, with exports of either kind', async (t) => {
  const compile = createSourceCompiler()
  const common = await compile(js('module.exports = { a: 1 }'))
  t.same(run(common.compiled).exports, { a: 1 })
  const modern = await compile(js('export default { b: 1 }'))
  t.match(run(modern.compiled).exports, { default: { b: 1 } })
  const typed = await compile(js('const a: number = 1'))
  t.match(typed, { compiled: null, error: /^index\.js:1:\d+: / })
})

t.test('import() becomes a require, which knows what may be imported', async (t) => {
  const { compiled } = await createSourceCompiler()(ts(`export const a = import('zlib')`))
  const { exports, required } = run(compiled)
  await exports['a']
  t.same(required, ['zlib'])
})

t.test('a compile error is reported with its place', async (t) => {
  const compile = createSourceCompiler()
  t.match(await compile(ts('const a = 1\nconst b = )')), {
    compiled: null,
    error: /^index\.ts:2:\d+: Unexpected/,
  })
  t.match(await compile(ts('await 1')), { compiled: null, error: /^index\.ts:1:\d+: / })
  t.match(await compile(js('}); globalThis.escaped = 1; (function () {')), { compiled: null })
})

t.test('a source that nests beyond reason is refused and the next one compiles', async (t) => {
  const compile = createSourceCompiler()
  const { error } = await compile(ts('{'.repeat(65_536) + '}'.repeat(65_536)))
  t.match(error, /^index\.ts: .*more time or memory/)
  t.match(await compile(ts('export const a = 1')), { error: null })
})

t.test('sources over the number at a time wait, and all are compiled', async (t) => {
  const compile = createSourceCompiler()
  const sources = Array.from({ length: 6 }, (_, at) => js(`module.exports = { at: ${at} }`))
  const answers = await Promise.all(sources.map((source) => compile(source)))
  t.same(
    answers.map(({ compiled }) => run(compiled).exports['at']),
    [0, 1, 2, 3, 4, 5],
  )
})

t.test('compiled code is kept, for its kind of file alone', async (t) => {
  const compile = createSourceCompiler()
  const first = await compile(ts('export const a: number = 1'))
  t.same(await compile(ts('export const a: number = 1')), first)
  t.match(await compile(js('export const a: number = 1')), { compiled: null })
})
