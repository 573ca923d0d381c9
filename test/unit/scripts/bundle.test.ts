import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { bundle, withConstants } from '../../../scripts/bundle.mjs'

t.test('a constant of a module is a constant of the bundle', async (t) => {
  const dist = join(t.testdir(), 'dist')
  await bundle(dist, ['src/flags/bucketing.ts'])
  const text = readFileSync(join(dist, 'src/flags/bucketing.js'), 'utf8')
  t.match(text, /^const words=new DataView/m)
  t.notMatch(text, /^(var|let) /m)
  const { bucketOf } = await import(join(dist, 'src/flags/bucketing.js'))
  t.ok(bucketOf('flag.', 'someone', '') <= 1)
})

t.test('only constants and classes become so, and lines keep their length', async (t) => {
  const sources: Readonly<Record<string, string>> = {
    'src/a.ts': 'export const LIMIT = 1\nlet count = 0\nexport class Box {}\nvar old = 1\n',
    'node_modules/b/index.mjs':
      'const LIMIT = 2\nexport default class Crate {}\n  const count = 5\n',
  }
  const text = [
    'var started = 1;',
    '// src/a.ts',
    'var import_c = __toESM(require_c(), 1);',
    'var LIMIT = 1;',
    'var count = 0;',
    'var Box = class {',
    '  var LIMIT = 3;',
    'var old = 1;',
    '// node_modules/b/index.mjs',
    'var LIMIT2 = 2;',
    'var Crate = class {',
    'var count2 = 5;',
    'var require_d = __commonJS({',
  ].join('\n')
  const changed = withConstants(text, (place) => sources[place] ?? '')
  t.strictSame(changed.split('\n'), [
    'var started = 1;',
    '// src/a.ts',
    'const import_c=__toESM(require_c(), 1);',
    'const LIMIT=1;',
    'var count = 0;',
    'const Box=class {',
    '  var LIMIT = 3;',
    'var old = 1;',
    '// node_modules/b/index.mjs',
    'const LIMIT2=2;',
    'const Crate=class {',
    'var count2 = 5;',
    'var require_d = __commonJS({',
  ])
  t.strictSame(
    changed.split('\n').map((line) => line.length),
    text.split('\n').map((line) => line.length),
  )
})
