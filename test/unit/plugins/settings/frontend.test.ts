import t from 'tap'
import {
  createFrontendCompiler,
  frontendModule,
} from '../../../../src/plugins/settings/frontend.ts'

/** The module as a browser would load it. */
async function load(module: string): Promise<(require: unknown) => Record<string, unknown>> {
  const loaded: unknown = await import(`data:text/javascript,${encodeURIComponent(module)}`)
  return (loaded as { getFrontendApp: (require: unknown) => Record<string, unknown> })
    .getFrontendApp
}

t.test('a frontend is a module whose imports the host hands in', async (t) => {
  const compile = createFrontendCompiler()
  const { compiled, error } = await compile(
    `import React from 'react'
     type Props = { name: string }
     export const scene = { title: 'Größe' as string, component: (p: Props) => <b>{p.name}</b> }
     // the last line`,
  )
  t.equal(error, null)
  const getFrontendApp = await load(frontendModule({ compiled, error }))
  const asked: string[] = []
  const app = getFrontendApp((name: string) => {
    asked.push(name)
    return { createElement: (type: string) => `<${type}>` }
  })
  t.same(asked, ['react'])
  t.match(app, { scene: { title: 'Größe' } })
  const { component } = app['scene'] as { component: (props: object) => string }
  t.equal(component({ name: 'x' }), '<b>')
})

t.test('a compile error is shown with its place, and by the module', async (t) => {
  const { compiled, error } = await createFrontendCompiler()('const a = 1\nconst b = <div>')
  t.equal(compiled, null)
  t.match(error, /^frontend\.tsx:2:\d+: /)
  const app = (await load(frontendModule({ compiled, error })))(undefined)
  t.same(app, { error })
})

t.test('without a frontend, or before it is compiled, the module says so', async (t) => {
  t.same((await load(frontendModule(undefined)))(undefined), { no_frontend: true })
  const waiting = frontendModule({ compiled: null, error: null })
  t.same((await load(waiting))(undefined), { transpiling: true })
  const error = '</script>`$x`\n\u2028"'
  t.same((await load(frontendModule({ compiled: null, error })))(undefined), { error })
})

t.test('a source that nests beyond reason is refused and the next one compiles', async (t) => {
  const compile = createFrontendCompiler()
  const { error } = await compile('{'.repeat(65_536) + '}'.repeat(65_536))
  t.match(error, /more time or memory/)
  t.match(await compile('export const a = 1'), { error: null })
})

t.test('more than a few at a time are refused', async (t) => {
  const compile = createFrontendCompiler()
  const running = [compile('export const a = 1'), compile('export const b = 1')]
  await t.rejects(compile('export const c = 1'), { code: 'resource_exhausted' })
  await Promise.all(running)
  t.match(await compile('export const c = 1'), { error: null })
})
