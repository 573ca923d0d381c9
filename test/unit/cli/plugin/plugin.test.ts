import { execFile } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { packageRoot } from '../../../../src/core/package-root.ts'
import { moduleUrl } from '../../../support/module-url.ts'

/** The command line in a process of its own: its exit status is one of its answers. */
const MAIN = moduleUrl('../../../../src/cli/main.ts', import.meta.url).href

/** Runs each of the commands, and ends what it printed on both streams with its status. */
const PROGRAM = `
  const runAll = async (commands) => {
    const { main } = await import('${MAIN}')
    for (const args of commands) {
      process.exitCode = 0
      await main(args)
      const end = '\\0' + process.exitCode + '\\0'
      for (const stream of [process.stdout, process.stderr]) stream.write(end)
    }
    process.exitCode = 0
  }
  const commands = JSON.parse(process.argv[1])
  // The command line as help shows it.
  process.argv[1] = process.cwd() + '/bin/sluice'
  runAll(commands)`
const KEY = 'phx_secret-of-the-tests'

type Ran = { readonly status: number; readonly stdout: string; readonly stderr: string }

/** One process for all of them: it starts slowly. */
function runAll(commands: readonly (readonly string[])[]): Promise<readonly Ran[]> {
  const loader = MAIN.endsWith('.ts') ? ['--import=tsx'] : []
  const program = [...loader, '--eval', PROGRAM]
  const options = { cwd: packageRoot, env: { ...process.env, SLUICE_API_KEY: KEY } }
  return new Promise((resolve, reject) => {
    const node = [...program, '--', JSON.stringify(commands)]
    execFile(process.execPath, node, options, (error, out, errors) => {
      if (error !== null) reject(error)
      const [stdout, stderr] = [out.split('\0'), errors.split('\0')]
      resolve(
        commands.map((_, index) => ({
          status: Number(stdout[2 * index + 1]),
          stdout: stdout[2 * index] ?? '',
          stderr: stderr[2 * index] ?? '',
        })),
      )
    })
  })
}

t.test('sluice plugin', async (t) => {
  const dir = t.testdir({
    'throws.js': 'export function processEvent() { throw new TypeError("no") }',
    'broken.js': 'export function (',
    'events.txt': '{',
    mine: { 'README.md': 'mine' },
    plugin: { 'index.js': '' },
  })
  const at = (file: string) => join(dir, file)
  const install = ['install', at('plugin'), '--url', 'http://127.0.0.1:9', '--organization', 'a']
  const commands = {
    written: ['new', at('mark-staff'), '--name', 'Mark staff', '--json'],
    again: ['new', at('mark-staff')],
    tried: ['test', at('mark-staff')],
    kept: ['new', at('mine')],
    failed: ['test', at('throws.js')],
    broken: ['test', at('broken.js')],
    incomplete: ['test'],
    nowhere: ['test', at('nowhere')],
    noEvents: ['test', at('plugin'), '--events', at('events.txt')],
    noSchedule: ['test', at('plugin'), '--run', 'runEveryHour'],
    noName: ['new', at('other'), '--name', ' '],
    noUrl: ['install', at('plugin'), '--organization', '@current'],
    noKey: [...install, '--key', ''],
    away: [...install, '--json'],
    helpNew: ['new', '--help'],
    helpTest: ['test', '--help'],
    helpInstall: ['install', '--help'],
  }
  const ran = await runAll(Object.values(commands).map((args) => ['plugin', ...args]))
  const of = (name: keyof typeof commands) => ran[Object.keys(commands).indexOf(name)]

  t.test('a new plugin is written, and can be tried at once', (t) => {
    t.match(of('written'), { status: 0, stderr: '' })
    const files = ['index.ts', 'plugin.json', 'events.json', 'README.md']
    const answer: unknown = JSON.parse(of('written')?.stdout ?? '')
    t.same(answer, { dir: at('mark-staff'), name: 'Mark staff', files })
    t.match(JSON.parse(readFileSync(at('mark-staff/plugin.json'), 'utf8')), { name: 'Mark staff' })
    const first = /^Mark staff: setupPlugin, processEvent\n/
    t.match(of('tried'), { status: 0, stdout: first, stderr: '' })
    t.match(of('tried')?.stdout, /events: 2 kept, 1 dropped, 0 failed; calls that failed: 0\n$/)
    t.end()
  })

  t.test('files that are there are kept, and none is written beside them', (t) => {
    t.match(of('again'), { status: 1, stdout: '', stderr: /nothing written: .* has index\.ts, / })
    t.match(of('kept'), { status: 1, stdout: '', stderr: /nothing written: .* has README\.md\n$/ })
    t.same(readdirSync(at('mine')), ['README.md'])
    t.equal(readFileSync(at('mine/README.md'), 'utf8'), 'mine')
    t.end()
  })

  t.test('a failure is status 1, a wrong command line or file is status 2', (t) => {
    const error = /failed.*\n {2}TypeError: no\n/
    t.match(of('failed'), { status: 1, stdout: error, stderr: '' })
    const syntax = /^sluice: the plugin cannot be loaded: SyntaxError: index\.js:1/
    t.match(of('broken'), { status: 1, stdout: '', stderr: syntax })
    const wrong = ['incomplete', 'nowhere', 'noEvents', 'noSchedule', 'noName', 'noUrl'] as const
    for (const name of wrong) t.match(of(name), { status: 2, stdout: '', stderr: /./ }, name)
    t.end()
  })

  t.test('the key may come from the environment, is needed, and is never shown', (t) => {
    const noKey = 'sluice: no key: set SLUICE_API_KEY, or give --key\n'
    t.match(of('noKey'), { status: 2, stderr: noKey })
    const away = /^sluice: cannot install the plugin: no answer/
    t.match(of('away'), { status: 1, stdout: '', stderr: away })
    t.notMatch(JSON.stringify(ran), KEY)
    t.end()
  })

  t.test('every command has help with examples', (t) => {
    for (const [name, help] of [
      ['new', of('helpNew')],
      ['test', of('helpTest')],
      ['install', of('helpInstall')],
    ] as const) {
      const text = new RegExp(`--json[\\s\\S]*Examples:\\n[\\s\\S]*sluice plugin ${name} `)
      t.match(help, { status: 0, stdout: text })
    }
    t.end()
  })
})
