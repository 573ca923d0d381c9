import t from 'tap'
import { codeOf, product, repository, targetsOf } from './tree.ts'

/** Whatever the console destroys it asks for by one dialog: `kit/dialogs/confirm-dialog.tsx`. */

const CONSOLE = 'gateway/console/'
const CALLS = 'gateway/client/calls.ts'
const DIALOG = /<Confirm(?:Dialog)?\b/
/** Calls that destroy, though their verb is another one. */
const OTHERS = ['discardDeadLetters', 'resetProjectToken', 'rollPersonalApiKey']
/** A change that deletes. */
const DELETED = /\bdeleted: true\b/

const files = product.filter((path) => path.startsWith(CONSOLE))
const destructive = [...callsOf('DELETE'), ...OTHERS]

/** Names of the client's functions that send this verb. */
function callsOf(verb: string): readonly string[] {
  return repository
    .text(CALLS)
    .split(/^export (?:async )?function /m)
    .slice(1)
    .filter((text) => text.includes(`'${verb}'`))
    .map((text) => /^\w+/.exec(text)?.[0] ?? '')
}

const destroys = (path: string) =>
  destructive.some((name) => new RegExp(`\\b${name}\\b`).test(codeOf(path))) ||
  DELETED.test(codeOf(path))
const hasDialog = (path: string) => DIALOG.test(codeOf(path))

t.test('the console destroys nothing without the dialog that asks', (t) => {
  t.ok(destructive.length >= 15, `${destructive.length} calls destroy`)
  const found = files.filter(destroys)
  t.ok(found.length >= 12, `${found.length} files destroy`)
  // Where the call is a part of its own, those that use it ask.
  const users = (path: string) => files.filter((other) => targetsOf(other).includes(path))
  const isAsked = (path: string) =>
    hasDialog(path) || (users(path).length > 0 && users(path).every(hasDialog))
  const silent = found.filter((path) => !isAsked(path))
  t.strictSame(silent, [])
  const native = files.filter((path) => /(?<![.\w])(?:window\.)?confirm\(/.test(codeOf(path)))
  t.strictSame(native, [], 'none asks by the browser itself')
  t.end()
})
