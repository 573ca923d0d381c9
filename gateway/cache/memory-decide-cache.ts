import type { ProjectId, Revision } from '../../src/core/ids.ts'
import { DECIDE_QUESTIONS_MAX } from '../../src/core/limits/limits.ts'
import type {
  CachedAnswer,
  DecideCache,
  DecidePlace,
  DecideTicket,
  Looked,
} from './decide-cache.ts'

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
  /** Any person may have changed, and it is not known which. */
  forgetAll(): void
}

export type MemoryDecideCacheOptions = {
  readonly bytesMax: number
  /** True when `forgetPersons` is called for every change of stored data. */
  readonly keepsStored: boolean
}

/** A decide cache in this process, bounded in bytes, least recently used first out. */
export function createMemoryDecideCache(options: MemoryDecideCacheOptions): MemoryDecideCache {
  return new PersonAnswers(options)
}

class PersonAnswers implements MemoryDecideCache {
  readonly keepsStored: boolean
  readonly #bytesMax: number
  readonly #persons = new Map<string, Entry>()
  /** When each was forgotten: a count of changes. */
  readonly #forgotten = new Map<string, number>()
  #bytes = 0
  /** One for all looks between two changes: a look makes no other object than its answer. */
  #ticket: DecideTicket = { heard: 0, shared: undefined }
  /** Tickets older than this may have missed a forgotten person that is no longer listed. */
  #forgottenBefore = 0

  constructor({ bytesMax, keepsStored }: MemoryDecideCacheOptions) {
    this.#bytesMax = bytesMax
    this.keepsStored = keepsStored
  }

  look(place: DecidePlace): Looked {
    return {
      members: this.#find(place),
      dependsOnStored: this.keepsStored,
      ticket: this.#ticket,
    }
  }

  put(place: DecidePlace, { heard }: DecideTicket, answer: CachedAnswer): void {
    if (answer.dependsOnStored && !this.keepsStored) return
    const key = personKey(place.projectId, place.distinctId)
    if (heard < this.#forgottenBefore || (this.#forgotten.get(key) ?? 0) > heard) return
    const entry = this.#entryAt(key, place.revision)
    if (entry === undefined) return
    const { questions, answers } = entry
    if (questions.includes(place.question) || questions.length >= DECIDE_QUESTIONS_MAX) return
    questions.push(place.question)
    answers.push(flat(answer.members))
    const added = place.question.length + answer.members.length + ANSWER_BYTES
    entry.bytes += added
    this.#bytes += added
    for (const [oldest, dropped] of this.#persons) {
      if (this.#bytes <= this.#bytesMax) break
      this.#drop(oldest, dropped)
    }
  }

  forgetPersons(project: ProjectId, distinctIds: readonly string[]): void {
    this.#ticket = { heard: this.#ticket.heard + 1, shared: undefined }
    for (const distinctId of distinctIds) {
      const key = personKey(project, distinctId)
      const entry = this.#persons.get(key)
      if (entry !== undefined) this.#drop(key, entry)
      this.#forgotten.delete(key)
      this.#forgotten.set(key, this.#ticket.heard)
    }
    for (const [oldest, at] of this.#forgotten) {
      if (this.#forgotten.size <= FORGOTTEN_MAX) break
      this.#forgotten.delete(oldest)
      this.#forgottenBefore = at
    }
  }

  forgetAll(): void {
    this.#forgottenBefore = this.#ticket.heard + 1
    this.#ticket = { heard: this.#forgottenBefore, shared: undefined }
    this.#persons.clear()
    this.#forgotten.clear()
    this.#bytes = 0
  }

  async close(): Promise<void> {
    this.#persons.clear()
    this.#forgotten.clear()
  }

  #find(place: DecidePlace): string | undefined {
    const key = personKey(place.projectId, place.distinctId)
    const entry = this.#persons.get(key)
    if (entry === undefined) return undefined
    if (entry.revision !== place.revision) {
      if (entry.revision < place.revision) this.#drop(key, entry)
      return undefined
    }
    this.#persons.delete(key)
    this.#persons.set(key, entry)
    return entry.answers[entry.questions.indexOf(place.question)]
  }

  /** The person's entry for a revision, made when needed; `undefined` when a newer one is there. */
  #entryAt(key: string, revision: Revision): Entry | undefined {
    const known = this.#persons.get(key)
    if (known !== undefined) {
      if (known.revision === revision) return known
      if (known.revision > revision) return undefined
      this.#drop(key, known)
    }
    const bytes = ENTRY_BYTES + key.length
    const entry: Entry = { revision, questions: [], answers: [], bytes }
    this.#persons.set(key, entry)
    this.#bytes += bytes
    return entry
  }

  #drop(key: string, entry: Entry): void {
    this.#persons.delete(key)
    this.#bytes -= entry.bytes
  }
}

/**
 * Flattens a text. An answer is concatenated from the fragments of its flags, and V8 keeps such a
 * text as a tree of its parts, several times its size, until a character of it is read.
 */
function flat(text: string): string {
  text.charCodeAt(0)
  return text
}

function personKey(project: ProjectId, distinctId: string): string {
  return `${project} ${distinctId}`
}
