import t from 'tap'
import { createMailbox } from '../../../src/actor/mailbox.ts'

function gate(): { opened: Promise<void>; open: () => void } {
  let open: () => void = () => undefined
  const opened = new Promise<void>((resolve) => {
    open = resolve
  })
  return { opened, open }
}

t.test('a full mailbox refuses and runs what it has', async (t) => {
  const mailbox = createMailbox({ turnsMax: 2 })
  const { opened, open } = gate()
  const first = mailbox.run(() => opened.then(() => 1))
  const second = mailbox.run(async () => 2)
  await t.rejects(
    mailbox.run(async () => 3),
    { code: 'resource_exhausted' },
  )
  open()
  t.strictSame(await Promise.all([first, second]), [1, 2])
  t.equal(mailbox.depth(), 0)
  t.equal(await mailbox.run(async () => 4), 4, 'there is room again')
})

t.test('turns never overlap and keep their order', async (t) => {
  const mailbox = createMailbox({ turnsMax: 100 })
  const seen: string[] = []
  await Promise.all(
    [1, 2, 3].map((turn) =>
      mailbox.run(async () => {
        seen.push(`begin ${turn}`)
        await Promise.resolve()
        seen.push(`end ${turn}`)
      }),
    ),
  )
  t.strictSame(seen, ['begin 1', 'end 1', 'begin 2', 'end 2', 'begin 3', 'end 3'])
})

t.test('a failing turn fails its caller only', async (t) => {
  const mailbox = createMailbox({ turnsMax: 10 })
  const failing = mailbox.run(async () => {
    throw new Error('no')
  })
  const next = mailbox.run(async () => 'yes')
  await t.rejects(failing, { message: 'no' })
  t.equal(await next, 'yes')
})

t.test('a closed mailbox ends what was accepted and refuses the rest', async (t) => {
  const mailbox = createMailbox({ turnsMax: 10 })
  const { opened, open } = gate()
  let ended = false
  const running = mailbox.run(async () => {
    await opened
    ended = true
  })
  const closing = mailbox.close()
  await t.rejects(
    mailbox.run(async () => 1),
    { code: 'unavailable' },
  )
  open()
  await closing
  t.ok(ended)
  await running
})
