import t from 'tap'
import { AppError } from '../../../src/core/code.ts'
import { projectId } from '../../../src/core/ids.ts'
import {
  EVENT_SCANS_RUNNING_MAX,
  EVENT_SCANS_WAITING_MAX,
} from '../../../src/core/limits/limits.ts'
import { createScanGate } from '../../../src/query/scan-gate.ts'

const project = projectId(1)
const never = () => new AbortController().signal

/** Work that ends when told. */
function work() {
  let started = false
  let end: () => void = () => undefined
  const ended = new Promise<void>((resolve) => {
    end = resolve
  })
  const run = async () => {
    started = true
    await ended
  }
  return { run, end: () => end(), isStarted: () => started }
}

const codeOf = (call: Promise<unknown>) =>
  call.then(
    () => 'done',
    (error: unknown) => (error instanceof AppError ? error.code : String(error)),
  )

t.test('past its bounds a project is refused, and others are not', async (t) => {
  const gate = createScanGate()
  const works = Array.from({ length: EVENT_SCANS_RUNNING_MAX + EVENT_SCANS_WAITING_MAX }, work)
  const calls = works.map(({ run }) => gate.run(project, never(), run))
  t.equal(works.filter((each) => each.isStarted()).length, EVENT_SCANS_RUNNING_MAX)
  t.equal(await codeOf(gate.run(project, never(), async () => undefined)), 'resource_exhausted')
  t.equal(await gate.run(projectId(2), never(), async () => 'other'), 'other')
  for (const { end } of works) end()
  await Promise.all(calls)
  t.equal(await gate.run(project, never(), async () => 'again'), 'again')
})

t.test('a caller that goes while it waits gives its place up', async (t) => {
  const gate = createScanGate()
  const works = Array.from({ length: EVENT_SCANS_RUNNING_MAX }, work)
  const calls = works.map(({ run }) => gate.run(project, never(), run))
  const abort = new AbortController()
  const gone = work()
  const waiting = codeOf(gate.run(project, abort.signal, gone.run))
  const next = gate.run(project, never(), async () => 'next')
  abort.abort()
  t.equal(await waiting, 'cancelled')
  t.equal(await codeOf(gate.run(project, AbortSignal.abort(), gone.run)), 'cancelled')
  for (const { end } of works) end()
  await Promise.all(calls)
  t.equal(await next, 'next')
  t.notOk(gone.isStarted())
})

t.test('work that fails hands its place on', async (t) => {
  const gate = createScanGate()
  const failing = () => Promise.reject(new AppError('unavailable', 'x'))
  for (let call = 0; call < 3 * EVENT_SCANS_RUNNING_MAX; call++) {
    t.equal(await codeOf(gate.run(project, never(), failing)), 'unavailable')
  }
  t.equal(await gate.run(project, never(), async () => 'next'), 'next')
})
