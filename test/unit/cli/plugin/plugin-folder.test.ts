import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { UsageError } from '../../../../src/cli/command-end.ts'
import { readPluginFolder, readSettings } from '../../../../src/cli/plugin/plugin-folder.ts'

const MANIFEST = {
  name: 'Exporter',
  config: [
    { key: 'host', type: 'string' },
    { key: '__proto__', type: 'string' },
    { key: 'rules', type: 'attachment' },
  ],
}

t.test('a folder is its known files, and is named by its manifest', (t) => {
  const dir = t.testdir({
    exporter: {
      'index.ts': 'export {}',
      'plugin.json': JSON.stringify(MANIFEST),
      'frontend.tsx': '1',
      'README.md': '',
      'events.json': '[]',
      'site.ts': {},
    },
    plain: { 'index.js': '2' },
  })
  const folder = readPluginFolder(join(dir, 'exporter'))
  t.same(Object.keys(folder.files).sort(), ['frontend.tsx', 'index.ts', 'plugin.json'])
  t.match(folder, {
    name: 'Exporter',
    folder: join(dir, 'exporter'),
    configSchema: MANIFEST.config,
    code: { kind: 'source', file: 'index.ts', source: 'export {}' },
  })
  t.match(readPluginFolder(join(dir, 'plain')), {
    name: 'plain',
    configSchema: [],
    code: { file: 'index.js' },
  })
  t.end()
})

t.test('a module alone is a plugin, by its ending', (t) => {
  const dir = t.testdir({ 'mark.ts': '1', 'mark.mjs': '2', 'mark.txt': '3' })
  const read = (file: string) => readPluginFolder(join(dir, file))
  t.match(read('mark.ts'), { name: 'mark', folder: dir, code: { file: 'index.ts', source: '1' } })
  t.match(read('mark.mjs'), { code: { file: 'index.js' }, files: { 'index.js': '2' } })
  t.throws(() => read('mark.txt'), UsageError)
  t.end()
})

t.test('a folder that is no plugin is wrong usage, and says why', (t) => {
  const dir = t.testdir({
    empty: {},
    broken: { 'index.js': '', 'plugin.json': '{' },
    large: { 'index.js': 'x'.repeat(1_048_577) },
  })
  for (const [name, message] of [
    ['nowhere', /there is no such file or folder/],
    ['empty', /neither an index.ts nor an index.js/],
    ['broken', /plugin.json: The file must hold a JSON object/],
    ['large', /index.js: The file is larger than 1048576 bytes/],
  ] as const) {
    t.throws(() => readPluginFolder(join(dir, name)), { name: 'UsageError', message })
  }
  t.end()
})

t.test('settings are those that are declared; one that is a file is read', (t) => {
  const dir = t.testdir({ 'rules.txt': 'abc', list: '[]', text: 'x' })
  const read = (settings: string) => {
    const file = join(dir, 'config.json')
    writeFileSync(file, settings)
    return readSettings(file, MANIFEST.config)
  }
  const { settings, attachments } = read('{"host": "a", "__proto__": 1, "rules": "rules.txt"}')
  t.same(Object.entries(settings), [
    ['host', 'a'],
    ['__proto__', 1],
  ])
  t.match(attachments.get('rules'), { fileName: 'rules.txt', contents: Buffer.from('abc') })
  t.match(readSettings(undefined, []), { settings: {} })
  for (const [text, message] of [
    ['{"other": 1}', /declares no setting "other"/],
    ['{"rules": 5}', /rules is a file: give its path/],
    ['{"rules": "gone.txt"}', /gone.txt: cannot be read \(ENOENT\)/],
    ['[]', /not a JSON object/],
    ['{', /config.json: not JSON/],
  ] as const) {
    t.throws(() => read(text), { name: 'UsageError', message }, text)
  }
  t.throws(() => readSettings(join(dir, 'gone.json'), []), { name: 'UsageError' })
  t.end()
})
