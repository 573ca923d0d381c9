import t from 'tap'
import { isIllegalId } from '../../../src/events/illegal-ids.ts'

t.test('illegal ids are placeholders in the case given, bare or quoted', async (t) => {
  const anyCase = [
    'anonymous',
    'GUEST',
    'DistinctId',
    'distinct_ID',
    'ID',
    'not_authenticated',
    'Email',
    'Undefined',
    'TRUE',
    'False',
  ]
  const exactCase = ['[object Object]', 'NaN', 'None', 'none', 'null', '0', 'undefined']
  for (const id of [...anyCase, ...exactCase]) {
    for (const form of [id, `"${id}"`, `'${id}'`]) t.ok(isIllegalId(form), form)
  }
  for (const id of ['', ' ', '\n\t', ' '.repeat(100)]) t.ok(isIllegalId(id), 'blank')
  const legal = [
    'NULL',
    'nan',
    'NONE',
    '[Object object]',
    '00',
    'anonymous1',
    `"guest'`,
    '"',
    `''guest''`,
    'user',
  ]
  for (const id of legal) t.notOk(isIllegalId(id), id)
})
