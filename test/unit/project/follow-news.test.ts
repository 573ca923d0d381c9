import t from 'tap'
import { type ProjectId, projectId, revision } from '../../../src/core/ids.ts'
import { silentLog } from '../../../src/core/log.ts'
import { createNewsHub } from '../../../src/core/project-news.ts'
import { followNews } from '../../../src/project/follow-news.ts'
import type { ProjectActor } from '../../../src/project/project-actor.ts'

function setUp(known: number) {
  const hub = createNewsHub(silentLog)
  const refreshed: ProjectId[] = []
  let fails = false
  const stop = followNews({
    hub,
    log: silentLog,
    projects: {
      // All that is looked at.
      peek: (project) =>
        project === 1
          ? ({ state: () => ({ revision: revision(known) }) } as unknown as ProjectActor)
          : undefined,
      async refresh(project) {
        refreshed.push(project)
        if (fails) throw new Error('no database')
      },
    },
  })
  const tell = (project: number, at: number) =>
    hub.publish({ kind: 'revision', projectId: projectId(project), revision: revision(at) })
  return { hub, refreshed, stop, tell, failing: () => (fails = true) }
}

t.test('an active project that is behind the news is read anew', async (t) => {
  const { refreshed, stop, tell } = setUp(4)
  tell(1, 5)
  t.same(refreshed, [1])
  await stop()
})

t.test('its own news, older ones, other projects and keys are none to it', async (t) => {
  const { hub, refreshed, stop, tell } = setUp(4)
  tell(1, 4)
  tell(1, 3)
  tell(2, 9)
  hub.publish({ kind: 'keys' })
  t.same(refreshed, [])
  await stop()
})

t.test('a reading that fails is survived, and after the stop there is none', async (t) => {
  const { refreshed, stop, tell, failing } = setUp(4)
  failing()
  tell(1, 5)
  await stop()
  tell(1, 6)
  t.same(refreshed, [1])
})
