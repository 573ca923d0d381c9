import t from 'tap'
import { createGate } from '../../../src/core/gate.ts'

const refuse = () => new Error('too much waits')

/** Lets promises that are settled go on. */
async function settle(): Promise<void> {
  for (let round = 0; round < 10; round++) await Promise.resolve()
}

t.test('so much work runs at a time, and over the bound it is refused', async (t) => {
  const gate = createGate({ runningMax: 2, waitingMax: 1, refuse })
  const open: ((fails: boolean) => void)[] = []
  const work = () =>
    new Promise<string>((resolve, reject) => {
      open.push((fails) => (fails ? reject(new Error('broken')) : resolve('done')))
    })
  const first = gate.run(work)
  const second = gate.run(work)
  const third = gate.run(work)
  await t.rejects(gate.run(work), { message: 'too much waits' })
  t.equal(open.length, 2)
  open[0]?.(true)
  await t.rejects(first, { message: 'broken' })
  await settle()
  t.equal(open.length, 3, 'the place of work that failed is handed on')
  open[1]?.(false)
  open[2]?.(false)
  t.same(await Promise.all([second, third]), ['done', 'done'])
  const last = gate.run(work)
  t.equal(open.length, 4)
  open[3]?.(false)
  t.equal(await last, 'done')
})
t.test('work whose caller leaves while it waits never begins', async (t) => {
  const cancelled = (cause: unknown) => new Error('the caller has gone', { cause })
  const gate = createGate({ runningMax: 1, waitingMax: 2, refuse, cancelled })
  const begun: string[] = []
  let end: () => void = () => {}
  const first = gate.run(() => new Promise<void>((resolve) => (end = resolve)))
  const left = new AbortController()
  const second = gate.run(async () => begun.push('second'), left.signal)
  const third = gate.run(async () => begun.push('third'))
  left.abort('bored')
  await t.rejects(second, { message: 'the caller has gone', cause: 'bored' })
  await t.rejects(
    gate.run(async () => begun.push('gone before'), left.signal),
    {
      message: 'the caller has gone',
    },
  )
  t.notOk(gate.isIdle())
  end()
  await Promise.all([first, third])
  t.same(begun, ['third'])
  t.ok(gate.isIdle())
})
