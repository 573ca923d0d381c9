/** The types of cells, as answers name them. */
import type { Cell } from '../../events/trees/table.ts'

/** The type's name in answers. A whole event and a person are described by their members. */
export function typeOf(cell: Cell): string {
  switch (cell.kind) {
    case 'event':
      return tuple(EVENT_TYPES)
    case 'person':
      return tuple(PERSON_TYPES)
    case 'value':
      return cell.value.type
    default:
      return cell satisfies never
  }
}

/** The type of any JSON. */
const JSON_TYPE = 'Tuple()'

const PERSON_TYPES: Readonly<Record<string, string>> = {
  id: 'UUID',
  distinct_id: 'String',
  created_at: 'DateTime',
  is_identified: 'Bool',
  properties: JSON_TYPE,
}

const EVENT_TYPES: Readonly<Record<string, string>> = {
  id: 'UUID',
  distinct_id: 'String',
  properties: JSON_TYPE,
  event: 'String',
  timestamp: 'DateTime',
  person: JSON_TYPE,
  elements: JSON_TYPE,
  elements_chain: 'String',
}

function tuple(members: Readonly<Record<string, string>>): string {
  const types = Object.entries(members).map(([name, type]) => `${name} ${type}`)
  return `Tuple(${types.join(', ')})`
}
