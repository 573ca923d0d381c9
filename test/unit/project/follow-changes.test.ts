import t from 'tap'
import { createChangeFeed } from '../../../src/core/change-feed.ts'
import { projectId, revision } from '../../../src/core/ids.ts'
import { silentLog } from '../../../src/core/log.ts'
import { followChanges } from '../../../src/project/follow-changes.ts'

function setUp() {
  const hub = createChangeFeed(silentLog)
  const heard: (readonly [number, number])[] = []
  let fails = false
  const stop = followChanges({
    hub,
    log: silentLog,
    projects: {
      async noteRevision(project, at) {
        heard.push([project, at])
        if (fails) throw new Error('no database')
      },
    },
  })
  const tell = (project: number, at: number, origin: 'own' | 'peer' = 'own') => {
    const change = { projectId: projectId(project), revision: revision(at) }
    hub.publish({ kind: 'revision', ...change }, origin)
  }
  return { hub, heard, stop, tell, failing: () => (fails = true) }
}

t.test('revisions are heard, whoever raised them; keys are none', async (t) => {
  const { hub, heard, stop, tell } = setUp()
  tell(1, 5)
  tell(2, 6, 'peer')
  hub.publish({ kind: 'keys' })
  t.same(heard, [
    [1, 5],
    [2, 6],
  ])
  await stop()
})

t.test('a reading that fails is survived, and after the stop there is none', async (t) => {
  const { heard, stop, tell, failing } = setUp()
  failing()
  tell(1, 5)
  await stop()
  tell(1, 6)
  t.same(heard, [[1, 5]])
})
