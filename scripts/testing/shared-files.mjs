// Runs many test files in this process, one after another, each as a subtest of tap. The list is
// shared with other processes of the run: each takes the next file that nobody has claimed. A file
// must leave its process as it was; what it changed fails it by name and is put back.
import { closeSync, openSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { t } from 'tap'
import { batchedOutput } from './batched-output.mjs'
import { lookAtProcess } from './process-state.mjs'
import { processorClock } from './processor-time.mjs'

const FILE = Symbol.for('sluice.test.file')
const PROCESS = Symbol.for('sluice.test.process')

/**
 * `folder/list.json` names the files: `{ name, module }`, the module as a path. Claims are made there, and
 * become the processor seconds of the file.
 * @param fileTimeoutMs the time that one file may take.
 */
async function runSharedFiles(folder, fileTimeoutMs) {
  const list = JSON.parse(readFileSync(join(folder, 'list.json'), 'utf8'))
  const clock = processorClock()
  globalThis[PROCESS] = t
  t.setTimeout(0)
  // Now, and not with its first output: it adds listeners to the process.
  t.register()
  t.pipe(batchedOutput(process.stdout))
  // A test that waits for nothing would empty the event loop, and tap would end all files with it.
  const held = setInterval(() => {}, 2 ** 31 - 1)
  for (const [index, { name, module }] of list.entries()) {
    const path = join(folder, String(index))
    if (!claim(path)) continue
    await runFile(name, module, fileTimeoutMs)
    writeFileSync(path, String(clock.sinceLast()))
  }
  clearInterval(held)
  t.end()
}

async function runFile(name, module, timeout) {
  const before = lookAtProcess()
  const test = t.test(name, { timeout }, async (file) => {
    globalThis[FILE] = file
    await import(pathToFileURL(module).href)
  })
  await test
  const tests = test.subtest.counts.total
  Reflect.deleteProperty(globalThis, FILE)
  if (tests === 0) t.fail(`${name}: has no tests`)
  const changes = before.restore()
  if (changes.length > 0) t.fail(`${name}: left changed ${changes.join(', ')}`)
}

function claim(path) {
  try {
    closeSync(openSync(path, 'wx'))
    return true
  } catch (error) {
    if (error.code === 'EEXIST') return false
    throw error
  }
}

await runSharedFiles(process.env.SLUICE_TEST_LIST, Number(process.env.SLUICE_TEST_FILE_MS))
