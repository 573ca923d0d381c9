/** What the guard of a connection tells of a statement by how it begins. */

const FINISHING = /^\s*(commit|rollback|prepare transaction)\b(?!\s+to\b)/i
const TYPES_QUESTION = /^\s*select b\.oid, b\.typarray\b/

/** The verb in small letters, when the statement ends a transaction. */
export function finisherIn(statement: string): string | undefined {
  return FINISHING.exec(statement)?.[1]?.toLowerCase()
}

/** True for what postgres.js 3.4.9 asks each session by itself: which arrays there are. */
export function isTypesQuestion(statement: string): boolean {
  return TYPES_QUESTION.test(statement)
}
