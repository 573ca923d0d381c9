import {
  mkdtemp,
  readdir,
  readFile,
  rm,
  stat,
  symlink,
  truncate,
  writeFile,
} from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import t, { type Test } from 'tap'
import {
  compressedFile,
  type Write,
  writeCompressedFile,
} from '../../../../src/cli/data/backup-file.ts'

const never = new AbortController().signal

async function folder(t: Test): Promise<string> {
  const path = await mkdtemp(join(tmpdir(), 'sluice-backup-'))
  t.teardown(() => rm(path, { recursive: true }))
  return path
}

async function textOf(path: string, signal = never): Promise<string> {
  const chunks: Buffer[] = []
  for await (const chunk of compressedFile(path, signal)()) chunks.push(chunk)
  return Buffer.concat(chunks).toString()
}

t.test('a backup that fails leaves the older one, and nothing of its own', async (t) => {
  const path = join(await folder(t), 'file')
  await writeFile(path, 'older')
  const failing = writeCompressedFile(path, async (write) => {
    await write('x'.repeat(1_000_000))
    throw new Error('the database has gone')
  })
  await t.rejects(failing, { message: 'the database has gone' })
  t.equal(await readFile(path, 'utf8'), 'older')
  t.same(await readdir(join(path, '..')), ['file'])
})

t.test('a place that takes no file is refused before anything is asked for', async (t) => {
  const home = await folder(t)
  const produce = async () => t.fail('it is not asked for')
  await t.rejects(writeCompressedFile(home, produce), {
    name: 'UsageError',
    message: /is not a file/,
  })
  await t.rejects(writeCompressedFile(join(home, 'none', 'file'), produce), {
    code: 'failed_precondition',
    message: /cannot write to .*none$/,
  })
  await symlink('/dev/full', join(home, 'full'))
  await t.rejects(writeCompressedFile(join(home, 'full'), produce), { name: 'UsageError' })
})

t.test('a written file is read back, as often as it is asked', async (t) => {
  const path = join(await folder(t), 'file')
  const line = `${'ä€😀'.repeat(50_000)}${Math.random()}\n`
  const produce = async (write: Write) => {
    for (let n = 0; n < 20; n++) await write(line)
    return 'done'
  }
  t.equal(await writeCompressedFile(path, produce), 'done')
  t.equal((await stat(path)).mode & 0o777, 0o600)
  t.equal(await textOf(path), line.repeat(20))
  t.equal(await textOf(path), line.repeat(20))
})

t.test('a file that is cut short, changed or none is told apart', async (t) => {
  const path = join(await folder(t), 'file')
  await t.rejects(textOf(path), { code: 'failed_precondition', message: /cannot read .*file$/ })
  await t.rejects(textOf(join(path, '..')), { message: /cannot read/ })
  await writeFile(path, 'a text')
  await t.rejects(textOf(path), { message: /no backup made by sluice backup/ })
  const whole = gzipSync(Array.from({ length: 9_999 }, () => Math.random()).join('\n'))
  await writeFile(path, whole)
  await truncate(path, whole.length - 9)
  await t.rejects(textOf(path), { message: /damaged: it is cut short/ })
  whole.writeUInt8(whole.readUInt8(whole.length >> 1) ^ 255, whole.length >> 1)
  await writeFile(path, whole)
  await t.rejects(textOf(path), { code: 'failed_precondition', message: /damaged/ })
})

t.test('an interrupt ends the reading with its reason', async (t) => {
  const path = join(await folder(t), 'file')
  await writeFile(path, gzipSync('text'))
  const reason = new Error('interrupted')
  await t.rejects(textOf(path, AbortSignal.abort(reason)), reason)
})
