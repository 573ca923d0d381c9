import { mkdtemp, readdir, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { existingOperatorToken, operatorToken } from '../../../../src/core/config/operator-token.ts'

async function folder(t: Test): Promise<string> {
  const path = await mkdtemp(join(tmpdir(), 'sluice-token-'))
  t.teardown(() => rm(path, { recursive: true }))
  return path
}

t.test('a file without a token is refused, not overwritten', async (t) => {
  const dataDir = await folder(t)
  await writeFile(join(dataDir, 'operator-token'), 'short\n')
  const source = { operatorToken: undefined, dataDir }
  await t.rejects(operatorToken(source), { code: 'failed_precondition', message: /holds no token/ })
  await t.rejects(existingOperatorToken(source), { code: 'failed_precondition' })
})

t.test('a data directory that cannot be made is named in the error', async (t) => {
  const dataDir = join(await folder(t), 'file')
  await writeFile(dataDir, '')
  const source = { operatorToken: undefined, dataDir }
  await t.rejects(operatorToken(source), { code: 'failed_precondition', message: /OPERATOR_TOKEN/ })
})

t.test('processes that start together share one token of 256 bits', async (t) => {
  const dataDir = join(await folder(t), 'a', 'b')
  const source = { operatorToken: undefined, dataDir }
  t.equal(await existingOperatorToken(source), undefined, 'reading makes none')
  const tokens = await Promise.all(Array.from({ length: 20 }, () => operatorToken(source)))
  t.equal(new Set(tokens).size, 1)
  t.match(tokens[0], /^[A-Za-z0-9_-]{43}$/)
  t.equal(await operatorToken(source), tokens[0])
  t.equal(await existingOperatorToken(source), tokens[0])
  t.equal((await stat(join(dataDir, 'operator-token'))).mode & 0o777, 0o600)
  t.strictSame(await readdir(dataDir), ['operator-token'], 'nothing else is left')
})

t.test('a token of the settings wins and makes no file', async (t) => {
  const dataDir = await folder(t)
  const given = 'given-by-the-operator'
  t.equal(await operatorToken({ operatorToken: given, dataDir }), given)
  t.strictSame(await readdir(dataDir), [])
})
