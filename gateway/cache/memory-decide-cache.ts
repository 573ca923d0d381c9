import type { ProjectId, Revision } from '../../src/core/ids.ts'
import { DECIDE_QUESTIONS_MAX } from '../../src/core/limits/limits.ts'
import type { DecideCache, DecidePlace, DecideTicket, Looked } from './decide-cache.ts'

/** Answers of one person: few, so that two short lists cost less than a map would. */
type Entry = {
  readonly revision: Revision
  readonly questions: string[]
  readonly answers: string[]
  bytes: number
}

/** Entries kept of forgotten persons, so that late answers are recognised as stale. */
const FORGOTTEN_MAX = 65_536
/** Cost of a person beside its texts: the key's place in the map, the entry, its lists. In bytes. */
const ENTRY_BYTES = 250
/** Cost of an answer beside its texts. */
const ANSWER_BYTES = 50

export type MemoryDecideCache = DecideCache & {
  /** Every person may have changed, and nobody knows which did. */
  forgetAll(): void
}

/** A decide cache in this process, bounded in bytes, least recently used first out. */
export function createMemoryDecideCache(options: {
  bytesMax: number
  /** True when `forgetPersons` is called for every change of stored data. */
  keepsStored: boolean
}): MemoryDecideCache {
  const persons = new Map<string, Entry>()
  const forgotten = new Map<string, number>()
  let bytes = 0
  // One for all looks between two changes: a look makes no other object than its answer.
  let ticket: DecideTicket = { heard: 0, shared: undefined }
  // Tickets up to this one may have missed a forgotten person that is no longer listed.
  let forgottenBefore = 0

  const drop = (key: string, entry: Entry) => {
    persons.delete(key)
    bytes -= entry.bytes
  }

  const find = (place: DecidePlace): string | undefined => {
    const key = personKey(place.projectId, place.distinctId)
    const entry = persons.get(key)
    if (entry === undefined) return undefined
    if (entry.revision !== place.revision) {
      if (entry.revision < place.revision) drop(key, entry)
      return undefined
    }
    persons.delete(key)
    persons.set(key, entry)
    return entry.answers[entry.questions.indexOf(place.question)]
  }

  return {
    keepsStored: options.keepsStored,
    look(place): Looked {
      return { members: find(place), dependsOnStored: options.keepsStored, ticket }
    },
    put(place, { heard }, { members, dependsOnStored }) {
      if (dependsOnStored && !options.keepsStored) return
      const key = personKey(place.projectId, place.distinctId)
      if (heard < forgottenBefore || (forgotten.get(key) ?? 0) > heard) return
      let entry = persons.get(key)
      if (entry !== undefined && entry.revision > place.revision) return
      if (entry === undefined || entry.revision < place.revision) {
        if (entry !== undefined) drop(key, entry)
        entry = {
          revision: place.revision,
          questions: [],
          answers: [],
          bytes: ENTRY_BYTES + key.length,
        }
        persons.set(key, entry)
        bytes += entry.bytes
      }
      const { questions, answers } = entry
      if (questions.includes(place.question) || questions.length >= DECIDE_QUESTIONS_MAX) return
      questions.push(place.question)
      answers.push(flat(members))
      const added = place.question.length + members.length + ANSWER_BYTES
      entry.bytes += added
      bytes += added
      for (const [oldest, dropped] of persons) {
        if (bytes <= options.bytesMax) break
        drop(oldest, dropped)
      }
    },
    forgetPersons(project, distinctIds) {
      ticket = { heard: ticket.heard + 1, shared: undefined }
      for (const distinctId of distinctIds) {
        const key = personKey(project, distinctId)
        const entry = persons.get(key)
        if (entry !== undefined) drop(key, entry)
        forgotten.delete(key)
        forgotten.set(key, ticket.heard)
      }
      for (const [oldest, at] of forgotten) {
        if (forgotten.size <= FORGOTTEN_MAX) break
        forgotten.delete(oldest)
        forgottenBefore = at
      }
    },
    forgetAll() {
      forgottenBefore = ticket.heard + 1
      ticket = { heard: forgottenBefore, shared: undefined }
      persons.clear()
      forgotten.clear()
      bytes = 0
    },
    async close() {
      persons.clear()
      forgotten.clear()
    },
  }
}

/**
 * The same text in one piece. An answer is put together from the fragments of its flags, and V8
 * keeps such a text as a tree of its parts until somebody looks into it: several times its size.
 */
function flat(text: string): string {
  text.charCodeAt(0)
  return text
}

function personKey(project: ProjectId, distinctId: string): string {
  return `${project} ${distinctId}`
}
