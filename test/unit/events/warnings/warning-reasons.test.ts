import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { packageRoot } from '../../../../src/core/package-root.ts'
import { reasonForm, WARNING_REASONS } from '../../../../src/events/warnings/warning-reasons.ts'

t.test('OPERATING has every reason in the words of the interface', async (t) => {
  const text = readFileSync(join(packageRoot, 'docs', 'OPERATING.md'), 'utf8')
  const rows = Object.entries(WARNING_REASONS).map(
    ([reason, { effect, meaning, advice }]) =>
      `| \`${reason}\` | ${effect} | ${meaning} | ${advice} |`,
  )
  for (const row of rows) t.ok(text.includes(`\n${row}\n`), row)
  const [, section = ''] = text.split('\n## Dropped events\n')
  const listed = section.split('\n## ')[0]?.match(/^\| `\w+` \| /gm) ?? []
  t.equal(listed.length, rows.length, 'and no others')
})

t.test('a reason of another release has no form', async (t) => {
  t.equal(reasonForm('no_name')?.effect, 'dropped')
  t.equal(reasonForm('of tomorrow'), undefined)
  t.equal(reasonForm('toString'), undefined)
})
