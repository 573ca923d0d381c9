import t from 'tap'
import { createThrottle, NO_THROTTLE } from '../../../src/access/throttle.ts'
import { AppError } from '../../../src/core/code.ts'
import { projectId, userId } from '../../../src/core/ids.ts'
import { createFakeClock } from '../../support/fake-clock.ts'

const caller = (id: number) => ({
  userId: userId(id),
  keyId: 'k',
  isStaff: false,
  scopes: ['*'],
  scopedProjects: [],
  scopedOrganizations: [],
  expiresAt: null,
})
const project = (id: number) => ({ projectId: projectId(id), level: 15 })

/** Seconds to wait, or undefined when the call was let through. */
function refused(run: () => void): number | undefined {
  try {
    run()
    return undefined
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== 'resource_exhausted') throw error
    return error.detail?.retryAfterS
  }
}

t.test('a project has its calls a minute, and says when there are more', async (t) => {
  const clock = createFakeClock()
  const throttle = createThrottle({ clock })
  const call = (who = 1, id = 1) =>
    refused(() => throttle.take('default', caller(who), project(id)))
  for (let at = 0; at < 480; at++) t.equal(call(1 + (at % 3)), undefined)
  t.equal(call(9), 60, 'whoever asks')
  t.equal(call(1, 2), undefined, 'another project has its own')
  await clock.advance(59_500)
  t.equal(call(), 1)
  await clock.advance(500)
  t.equal(call(), undefined)
})

t.test('the hour is a limit of its own, and refused calls do not count', async (t) => {
  const clock = createFakeClock()
  const throttle = createThrottle({ clock })
  const call = () => refused(() => throttle.take('query', caller(1), project(1)))
  let through = 0
  for (let minute = 0; minute < 10; minute++) {
    for (let at = 0; at < 300; at++) if (call() === undefined) through++
    await clock.advance(60_000)
  }
  t.equal(through, 1_200)
  t.equal(call(), 3_000)
  await clock.advance(3_000_000)
  t.equal(call(), undefined)
})

t.test('without a project the user is counted, each kind of call by itself', async (t) => {
  const throttle = createThrottle({ clock: createFakeClock() })
  for (let at = 0; at < 5; at++) throttle.take('user_write', caller(1), {})
  t.equal(
    refused(() => throttle.take('user_write', caller(1), undefined)),
    60,
  )
  t.equal(
    refused(() => throttle.take('user_write', caller(2), {})),
    undefined,
  )
  t.equal(
    refused(() => throttle.take('default', caller(1), {})),
    undefined,
  )
})

t.test('server libraries have more calls a minute than people, and none an hour', async (t) => {
  const clock = createFakeClock()
  const throttle = createThrottle({ clock })
  const call = () => refused(() => throttle.take('library', caller(1), project(1)))
  for (let minute = 0; minute < 12; minute++) {
    let through = 0
    for (let at = 0; at < 600; at++) if (call() === undefined) through++
    t.equal(through, 600)
    t.equal(call(), 60)
    await clock.advance(60_000)
  }
})

t.test('without limits nothing is counted', async (t) => {
  for (let at = 0; at < 1_000; at++) NO_THROTTLE.take('user_write', caller(1), {})
  t.pass('a thousand changes of a user were let through')
})

t.test('a call that is given back counts no more', async (t) => {
  const throttle = createThrottle({ clock: createFakeClock() })
  const call = () => throttle.take('user_write', caller(1), {})
  for (let at = 0; at < 4; at++) call()
  for (let at = 0; at < 100; at++) call()()
  call()
  t.equal(
    refused(() => call()),
    60,
  )
})
