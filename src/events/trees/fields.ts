/** The fields of events and of their persons that an expression may name. */
import type { ValueType } from './value-type.ts'

type FieldRule = { readonly type: ValueType; readonly ofPerson: boolean }

const FIELD_RULES = {
  uuid: ofEvent('UUID'),
  event: ofEvent('String'),
  timestamp: ofEvent('DateTime'),
  distinct_id: ofEvent('String'),
  /** JSON text, as `person.properties` is. */
  properties: ofEvent('String'),
  elements_chain: ofEvent('String'),
  created_at: ofEvent('DateTime'),
  team_id: ofEvent('Int64'),
  'person.id': ofPerson('UUID'),
  'person.created_at': ofPerson('DateTime'),
  'person.properties': ofPerson('String'),
} satisfies Record<string, FieldRule>

export type FieldName = keyof typeof FIELD_RULES

export const FIELDS: Readonly<Record<FieldName, FieldRule>> = FIELD_RULES

function ofEvent(type: ValueType): FieldRule {
  return { type, ofPerson: false }
}

function ofPerson(type: ValueType): FieldRule {
  return { type, ofPerson: true }
}
