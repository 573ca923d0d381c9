import t from 'tap'
import { suggest, unknownCommand } from '../../../src/cli/suggest.ts'

const NAMES = ['start', 'gateway', 'migrate', 'status', 'spill', 'deadletter', 'backup', 'bench']

t.test('the beginning of a name means it, though another is fewer letters away', async (t) => {
  t.strictSame(suggest('stat', NAMES), ['status'])
  t.strictSame(suggest('dead', NAMES), ['deadletter'])
  t.strictSame(suggest('b', NAMES), ['backup', 'bench'])
})

t.test('a name with letters missing, wrong or swapped is found', async (t) => {
  for (const [typed, meant] of [
    ['statsu', 'status'],
    ['migrat', 'migrate'],
    ['gatway', 'gateway'],
    ['bakcup', 'backup'],
    ['sipll', 'spill'],
    ['stata', 'start'],
  ] as const) {
    t.ok(suggest(typed, NAMES).includes(meant), typed)
  }
})

t.test('a word like no name suggests none', async (t) => {
  t.strictSame(suggest('frobnicate', NAMES), [])
  t.strictSame(suggest('x', NAMES), [])
  t.equal(unknownCommand('x', NAMES), "unknown command 'x'\n(add --help for more)")
  t.match(unknownCommand('stat', NAMES), /^unknown command 'stat'\. Did you mean status\?\n/)
})
