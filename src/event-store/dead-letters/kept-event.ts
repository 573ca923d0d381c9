/** The text in which a dead letter keeps its event. */

import { v5 } from 'uuid'
import { isObject } from '../../core/json.ts'
import { parseJson } from '../../core/json-text/parse-json.ts'
import { err, ok, type Result } from '../../core/result.ts'
import type { GroupChange, GroupRef, IngestEvent, PersonChange } from '../../events/event.ts'
import { parseUuid } from '../../events/uuid.ts'

/** Names of uuids that are none. A stored format: changing it keeps an event twice. */
const BAD_UUID_NAMESPACE = '5d0b0b43-9a1c-4a9e-8f6c-0d8e3d0f7b1e'
/** The form of `formatInstant`; whether there is such a day is the database's to say. */
const TIMESTAMP = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{6}Z$/

/** UUID of a dead letter: that of the event, or one made of the text in its place. */
export function keptUuid(event: IngestEvent): string {
  return parseUuid(event.uuid) ?? v5(event.uuid, BAD_UUID_NAMESPACE)
}

/** Escapes NUL and lone surrogates, so that the original can be read back. */
export function formatKeptEvent(event: IngestEvent): string {
  return JSON.stringify(event)
}

/**
 * Parses the output of `formatKeptEvent`. Unknown fields are refused: a newer version meant
 * something by them that would be lost. Values are as they were when the database refused them.
 * @returns the problem as words for the operator. Never throws.
 */
export function parseKeptEvent(text: string): Result<IngestEvent, string> {
  try {
    return ok(readEvent(objectOf(parseJson(text), 'the event', EVENT_FIELDS)))
  } catch (error) {
    if (error instanceof Unreadable) return err(error.message)
    return err('it is not JSON')
  }
}

class Unreadable extends Error {}

type Fields = Readonly<Record<string, unknown>>

const EVENT_FIELDS = [
  'uuid',
  'event',
  'distinctId',
  'timestamp',
  'properties',
  'elementsChain',
  'person',
  'groups',
  'groupChange',
]
const PERSON_FIELDS = ['profile', 'setOnce', 'volatile', 'set', 'unset', 'merge']

function readEvent(fields: Fields): IngestEvent {
  const timestamp = textOf(fields, 'timestamp')
  if (!TIMESTAMP.test(timestamp)) throw new Unreadable('timestamp is not in the form it is kept in')
  return {
    uuid: textOf(fields, 'uuid'),
    event: textOf(fields, 'event'),
    distinctId: textOf(fields, 'distinctId'),
    timestamp,
    properties: textOf(fields, 'properties'),
    elementsChain: textOf(fields, 'elementsChain'),
    person: readPerson(objectOf(fields['person'], 'person', PERSON_FIELDS)),
    groups: listOf(fields, 'groups').map(readGroup),
    groupChange: readGroupChange(fields['groupChange']),
  }
}

function readPerson(fields: Fields): PersonChange {
  const { profile } = fields
  if (typeof profile !== 'boolean') throw new Unreadable('profile is neither true nor false')
  return {
    profile,
    setOnce: textOf(fields, 'setOnce'),
    // An older version had none.
    volatile: fields['volatile'] === undefined ? '' : textOf(fields, 'volatile'),
    set: textOf(fields, 'set'),
    unset: listOf(fields, 'unset').map((name) => textOf({ unset: name }, 'unset')),
    merge: readMerge(fields['merge']),
  }
}

function readMerge(value: unknown): PersonChange['merge'] {
  if (value === undefined) return undefined
  const fields = objectOf(value, 'merge', ['kind', 'otherDistinctId'])
  const { kind } = fields
  if (kind !== 'identify' && kind !== 'alias' && kind !== 'dangerously') {
    throw new Unreadable('merge is of an unknown kind')
  }
  return { kind, otherDistinctId: textOf(fields, 'otherDistinctId') }
}

function readGroup(value: unknown): GroupRef {
  const fields = objectOf(value, 'a group', ['type', 'key'])
  return { type: textOf(fields, 'type'), key: textOf(fields, 'key') }
}

function readGroupChange(value: unknown): GroupChange | undefined {
  if (value === undefined) return undefined
  const fields = objectOf(value, 'groupChange', ['type', 'key', 'set'])
  return {
    type: textOf(fields, 'type'),
    key: textOf(fields, 'key'),
    set: textOf(fields, 'set'),
  }
}

function objectOf(value: unknown, name: string, known: readonly string[]): Fields {
  if (!isObject(value)) throw new Unreadable(`${name} is not an object`)
  for (const field of Object.keys(value)) {
    if (!known.includes(field)) throw new Unreadable(`${name} has a field of another version`)
  }
  return value
}

function textOf(fields: Fields, name: string): string {
  const value = fields[name]
  if (typeof value !== 'string') throw new Unreadable(`${name} is not a text`)
  return value
}

function listOf(fields: Fields, name: string): readonly unknown[] {
  const value = fields[name]
  if (!Array.isArray(value)) throw new Unreadable(`${name} is not a list`)
  return value
}
