/** The project actors of a worker over a fake store. */
import { createMailbox } from '../../../src/actor/mailbox.ts'
import { createChangeFeed, type ProjectChange } from '../../../src/core/change-feed.ts'
import { AppError } from '../../../src/core/code.ts'
import { type Epoch, epoch, type ProjectId, projectId, revision } from '../../../src/core/ids.ts'
import { silentLog as log } from '../../../src/core/log.ts'
import type { EventBatch } from '../../../src/events/event-batch.ts'
import type { StateChange } from '../../../src/project/ports.ts'
import type { StoredProject } from '../../../src/project/project-state.ts'
import { createProjects, type ProjectsDeps } from '../../../src/project/projects.ts'
import { createRevisions } from '../../../src/project/revisions.ts'
import { createSnapshots } from '../../../src/project/snapshots.ts'
import { createTrust } from '../../../src/project/trust.ts'
import { createFakeClock } from '../fake-clock.ts'
import { testHealth } from './test-health.ts'

export const ONE = projectId(1)
export const TWO = projectId(2)

function storedProject(project: ProjectId, at: number): StoredProject {
  return {
    id: project,
    revision: revision(at),
    apiToken: `phc_${project}`,
    anonymizeIps: false,
    sources: { flags: [], cohorts: [], groupTypes: new Map(), timezone: 'UTC' },
    plugins: undefined,
  }
}

/** A database of projects that the test changes behind the worker's back. */
export type FakeStore = {
  readonly revisions: Map<ProjectId, number>
  /** Every statement, as `load 1` or `compare 1 2`. */
  readonly asked: string[]
  /** Answers at once, not until `release`, or with failures. */
  mode: 'here' | 'held' | 'away'
  release(): void
}

function createFakeStore(): FakeStore & { answer(statement: string): Promise<void> } {
  let held: (() => void)[] = []
  const store = {
    revisions: new Map([
      [ONE, 1],
      [TWO, 1],
    ]),
    asked: [] as string[],
    mode: 'here' as FakeStore['mode'],
    release() {
      store.mode = 'here'
      for (const go of held) go()
      held = []
    },
    async answer(statement: string) {
      store.asked.push(statement)
      if (store.mode === 'away') throw new AppError('unavailable', 'no database')
      if (store.mode === 'held') await new Promise<void>((resolve) => held.push(resolve))
    },
  }
  return store
}

/** The actors and snapshots of one worker over a fake store, with a trust that the test moves. */
export function createTestProjects(more: Partial<ProjectsDeps> = {}) {
  const clock = createFakeClock()
  const hub = createChangeFeed(log)
  const told: (readonly [ProjectChange, string])[] = []
  hub.subscribe((change, origin) => told.push([change, origin]))
  const store = createFakeStore()
  const submitted: EventBatch[] = []
  const world = {
    epoch: epoch(1n) as Epoch | undefined,
    confirmed: true,
    fresh: true,
    interruptions: 0,
  }
  const trust = createTrust({
    epochOf: () => world.epoch,
    confirmed: () => world.confirmed,
    feed: { fresh: () => world.fresh, interruptions: () => world.interruptions },
  })
  const load = async (project: ProjectId): Promise<StoredProject> => {
    // As of the moment at which the statement began.
    const at = store.revisions.get(project)
    await store.answer(`load ${project}`)
    if (at === undefined) throw new AppError('not_found', `no project ${project}`)
    return storedProject(project, at)
  }
  const revisions = createRevisions({
    async read(asked) {
      const found = asked.flatMap((project) => {
        const at = store.revisions.get(project)
        return at === undefined ? [] : [[project, revision(at)] as const]
      })
      await store.answer(`compare ${[...asked].sort().join(' ')}`)
      return new Map(found)
    },
    health: testHealth(clock, () => store.answer('probe')),
  })
  const projects = createProjects({
    load,
    async commit<T>(project: ProjectId, change: StateChange<T>) {
      const { revision: at } = await load(project)
      // These changes use none.
      const result = await change(Object.create(null))
      store.revisions.set(project, at + 1)
      return { result, left: storedProject(project, at + 1) }
    },
    async remove(project) {
      await load(project)
      store.revisions.delete(project)
    },
    createMailbox: () => createMailbox({ turnsMax: 10 }),
    sink: {
      async submit(batch) {
        submitted.push(batch)
        return { kind: 'stored', stored: 1, duplicates: 0, deadLetters: 0 }
      },
    },
    feed: hub,
    trust,
    storeAway: () => revisions.away(),
    clock,
    log,
    ...more,
  })
  const snapshots = createSnapshots({ projects, revisions, trust, clock, log })
  return { clock, hub, told, store, submitted, world, projects, revisions, snapshots }
}
