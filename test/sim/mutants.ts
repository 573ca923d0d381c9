/** The deliberate faults that the simulation must find. */
import type { Mutant } from './mutant.ts'

/** Easy mistakes, one at a time. A few hundred runs must find each of them. */
export const MUTANTS: readonly Mutant[] = [
  {
    name: 'a claim that ignores which epoch was seen',
    found: /epoch .* fell|hold shard/,
    firstSeed: 2,
    claimIgnoresEpoch: true,
  },
  {
    name: 'a claim that does not wait for changes under the old epoch',
    found: /under \d+, past epoch|under epoch/,
    firstSeed: 71,
    claimDoesNotWait: true,
  },
  {
    name: 'a change whose fence is not checked',
    found: /under \d+, past epoch|under epoch/,
    firstSeed: 29,
    fenceUnchecked: true,
  },
  {
    name: 'a store that does not know an event again',
    found: /stored twice/,
    firstSeed: 2,
    storesTwice: true,
  },
  {
    name: 'a flush that is answered before its commit',
    found: /acknowledged, and is nowhere/,
    firstSeed: 1,
    flushAnswersEarly: true,
  },
  {
    name: 'a change that is sent again though it may be done',
    found: /committed twice/,
    firstSeed: 10,
    changesSentAgain: true,
  },
  {
    name: 'a spill that hands a message out once',
    found: /spill is not empty/,
    firstSeed: 8,
    handsOutOnce: true,
  },
  {
    name: 'a writer without a bound',
    found: /writer of .* holds/,
    firstSeed: 10,
    writerUnbounded: true,
  },
  {
    name: 'an event that is acknowledged before the spill has kept it',
    found: /acknowledged, and is nowhere/,
    firstSeed: 8,
    messages: (log) => ({
      ...log,
      async put(id, bytes) {
        log.put(id, bytes).catch(() => {
          // No caller waits for it, which is the fault.
        })
      },
    }),
  },
  {
    name: 'a message of the spill that is acknowledged before its commit',
    found: /acknowledged, and is nowhere/,
    firstSeed: 8,
    drainerWriter: (writer) => ({
      async submit(batch) {
        void writer.submit(batch)
        return { kind: 'stored', stored: batch.events.length, duplicates: 0, deadLetters: 0 }
      },
      status: () => writer.status(),
    }),
  },
  {
    name: 'members that are listed only once',
    found: /sees/,
    firstSeed: 18,
    registry(registry) {
      let listed: ReturnType<typeof registry.list> | undefined
      return {
        ...registry,
        list() {
          listed ??= registry.list()
          return listed
        },
      }
    },
  },
  {
    name: 'a key that is written whoever has written it since',
    found: /sees|elsewhere/,
    firstSeed: 134,
    registry: (registry) => ({
      ...registry,
      async update(key, value, revision) {
        const entry = await registry.get(key)
        return registry.update(key, value, entry?.revision ?? revision)
      },
    }),
  },
]
