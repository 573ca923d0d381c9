import { createHash, randomBytes } from 'node:crypto'
import type { ProjectId } from '../../src/core/ids.ts'
import type { CachedAnswer, DecidePlace, SharedTicket } from './decide-cache.ts'

/**
 * Format of the shared decide cache: one hash for each person. Its field `g` holds a nonce; every
 * other field is named for a revision and a question and holds `<era> <nonce>` or `<era> -` (the
 * answer read nothing stored), a line feed, and the members.
 */
export const NONCE_FIELD = 'g'

/** In place of the nonce: no change of the person makes the answer wrong. */
const ANY_NONCE = '-'
/** Questions up to this length are the field name; longer ones are hashed. */
const PLAIN_QUESTION_CHARS_MAX = 16

/** Key of a person: 128 bits of SHA-256 replace the distinct id, which may be an e-mail address. */
export function personKey(cluster: string, project: ProjectId, distinctId: string): string {
  return `${cluster}:decide:${project}:${digest(distinctId, 22)}`
}

export function answerField({ revision, question }: DecidePlace): string {
  if (question.length <= PLAIN_QUESTION_CHARS_MAX) return `${revision}:${question}`
  return `${revision}#${digest(question, 16)}`
}

/** 96 bits for the run of the server and the generation of the workers together. */
export function eraOf(run: string, generation: string): string {
  return digest(`${run}\n${generation}`, 16)
}

export function encodeAnswer(
  { era, nonce }: SharedTicket,
  { members, dependsOnStored }: CachedAnswer,
): string | undefined {
  const mark = dependsOnStored ? nonce : ANY_NONCE
  return mark === undefined ? undefined : `${era} ${mark}\n${members}`
}

/** Decodes a field; `undefined` for another era, another nonce, or a foreign value. */
export function decodeAnswer(
  text: unknown,
  era: string,
  nonce: string | undefined,
): CachedAnswer | undefined {
  if (typeof text !== 'string' || !text.startsWith(`${era} `)) return undefined
  const end = text.indexOf('\n')
  if (end === -1) return undefined
  const mark = text.slice(era.length + 1, end)
  if (mark !== ANY_NONCE && mark !== nonce) return undefined
  return { members: text.slice(end + 1), dependsOnStored: mark !== ANY_NONCE }
}

/** Makes unique texts: a random prefix of this process and a count. */
export function createNonces(): () => string {
  const own = randomBytes(12).toString('base64url')
  let count = 0
  return () => {
    count++
    return `${own}.${count.toString(36)}`
  }
}

function digest(text: string, chars: number): string {
  return createHash('sha256').update(text).digest('base64url').slice(0, chars)
}
