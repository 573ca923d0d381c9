import t from 'tap'
import { batchedOutput } from '../../../../scripts/testing/batched-output.mjs'

function start() {
  const pieces: string[] = []
  const known = process.listeners('exit')
  const output = batchedOutput({ write: (text) => pieces.push(text) })
  const added = process.listeners('exit').filter((listener) => !known.includes(listener))
  const stop = () => {
    for (const listener of added) process.off('exit', listener)
  }
  return { pieces, output, endProcess: () => added.forEach((run) => void run(0)), stop }
}

const turn = () => new Promise((resolve) => setImmediate(resolve))

t.test('the lines of one turn of the event loop are one piece, and no later', async (t) => {
  const { pieces, output, stop } = start()
  t.teardown(stop)
  for (const line of ['ok 1\n', 'ok 2\n']) output.write(line)
  t.same(pieces, [])
  await turn()
  t.same(pieces, ['ok 1\nok 2\n'])
  output.write('ok 3\n')
  await turn()
  t.same(pieces.slice(1), ['ok 3\n'])
})

t.test('a turn that does not end is told as it comes', async (t) => {
  const { pieces, output, stop } = start()
  t.teardown(stop)
  const line = `${'x'.repeat(999)}\n`
  for (let count = 0; count < 100; count++) output.write(line)
  t.equal(pieces.length, 1)
  await turn()
  t.equal(pieces.join(''), line.repeat(100))
})

t.test('the rest of the output is written when the process ends', async (t) => {
  const { pieces, output, endProcess, stop } = start()
  t.teardown(stop)
  output.write('not ok 1\n')
  endProcess()
  t.same(pieces, ['not ok 1\n'])
})
