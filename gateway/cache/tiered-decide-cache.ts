import type { DecideCache, DecidePlace, Looked } from './decide-cache.ts'

/** Where an answer was found. */
export type DecideTier = 'memory' | 'shared' | 'none'

/**
 * A cache of this process in front of the one that all gateways share. Memory holds only answers
 * that read no stored data, since this process is not told of changed persons; the shared one holds
 * all.
 */
export function createTieredDecideCache(
  memory: DecideCache,
  shared: DecideCache,
  onLooked: (tier: DecideTier) => void,
): DecideCache {
  const merge = (place: DecidePlace, near: Looked, far: Looked): Looked => {
    const ticket = { heard: near.ticket.heard, shared: far.ticket.shared }
    const { members, dependsOnStored } = far
    onLooked(members === undefined ? 'none' : 'shared')
    if (members !== undefined && !dependsOnStored) {
      void memory.put(place, ticket, { members, dependsOnStored })
    }
    return { members, dependsOnStored, ticket }
  }

  return {
    keepsStored: shared.keepsStored,
    look(place) {
      const near = memory.look(place)
      if (near instanceof Promise) return near.then((each) => lookFurther(place, each))
      return lookFurther(place, near)
    },
    async put(place, ticket, answer) {
      void memory.put(place, ticket, answer)
      await shared.put(place, ticket, answer)
    },
    async forgetPersons(project, distinctIds) {
      await memory.forgetPersons(project, distinctIds)
      await shared.forgetPersons(project, distinctIds)
    },
    async close() {
      await memory.close()
      await shared.close()
    },
  }

  function lookFurther(place: DecidePlace, near: Looked): Looked | Promise<Looked> {
    if (near.members !== undefined) {
      onLooked('memory')
      return near
    }
    const far = shared.look(place)
    return far instanceof Promise
      ? far.then((each) => merge(place, near, each))
      : merge(place, near, far)
  }
}
