import { mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import type { Bootstrapped } from '../../../../src/access/bootstrap.ts'
import { keepFirstKeys } from '../../../../src/cli/service/first-keys.ts'
import { createLogLines } from '../../../support/log-lines.ts'
import { testFolder } from '../../../support/servers/product.ts'

const KEYS = { projectApiKey: 'phc_of_the_first', personalApiKey: 'phx_of_the_first' }
const made = {
  email: 'owner@example.com',
  ...KEYS,
  user: { project: { id: 1 } },
} as unknown as Bootstrapped // The part that the file is made of; the rest is of the database.

t.test('first keys are in a file that its owner alone may read, and in no log', async (t) => {
  const dataDir = join(testFolder(t), 'data')
  const path = join(dataDir, 'first-keys.json')
  const { log, all } = createLogLines()
  await keepFirstKeys(log, dataDir, made)
  t.strictSame(JSON.parse(readFileSync(path, 'utf8')), {
    email: 'owner@example.com',
    projectId: 1,
    ...KEYS,
  })
  t.equal(statSync(path).mode & 0o777, 0o600)
  t.match(all(), [{ level: 'info', path }])
  t.notMatch(JSON.stringify(all()), /of_the_first/)
})

t.test('a file of an earlier database is replaced, whoever could read it', async (t) => {
  const dataDir = testFolder(t)
  const path = join(dataDir, 'first-keys.json')
  writeFileSync(path, 'older, and longer than what takes its place'.repeat(20), { mode: 0o644 })
  await keepFirstKeys(createLogLines().log, dataDir, made)
  t.match(JSON.parse(readFileSync(path, 'utf8')), KEYS)
  t.equal(statSync(path).mode & 0o777, 0o600)
})

t.test('a later start writes nothing', async (t) => {
  const { log, all } = createLogLines()
  await keepFirstKeys(log, join(testFolder(t), 'nothing'), undefined)
  t.strictSame(all(), [])
})

t.test('a folder that cannot be written is told without the keys', async (t) => {
  const dataDir = testFolder(t)
  mkdirSync(join(dataDir, 'first-keys.json'))
  const { log, all } = createLogLines()
  await keepFirstKeys(log, dataDir, made)
  t.match(all(), [{ level: 'error', advice: /create-key/ }])
  t.notMatch(JSON.stringify(all()), /of_the_first/)
})
