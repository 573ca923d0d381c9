/** Further forms of a text: rule `format`. */
import { isLooseUuid } from '../../core/ids.ts'
import { readTimeZone, suggestTimeZone } from './read-time-zone.ts'

/** The error of a text that does not have the form; undefined when it has. */
export type FormatCheck = (
  text: string,
) => { readonly code: string; readonly detail: string } | undefined

const LOCAL_PART = /^[\w!#$%&'*+/=?^`{}|~-]+(?:\.[\w!#$%&'*+/=?^`{}|~-]+)*$/
const QUOTED_LOCAL_PART = /^"(?:[\x21\x23-\x5b\x5d-\x7e ]|\\[\x20-\x7e])*"$/
const DOMAIN_LABEL = /^[\p{L}\p{N}](?:[\p{L}\p{N}-]{0,61}[\p{L}\p{N}])?$/u
const TOP_LABEL = /^(?:[\p{L}\p{N}-]{2,63})$/u
const ADDRESS_LITERAL = /^\[[0-9a-fA-F:.]{2,45}\]$/
const DATE = /^(\d{4})-(\d{1,2})-(\d{1,2})$/
const TIME = /^(\d{1,2}):(\d{2})(?::(\d{2})(?:[.,]\d{1,12})?)?\s{0,8}(?:Z|[+-]\d{2}(?::?\d{2})?)?$/i

export const FORMATS: Readonly<Record<string, FormatCheck>> = {
  email: (text) => (isEmail(text) ? undefined : invalid('Enter a valid email address.')),
  uuid: (text) => (isLooseUuid(text) ? undefined : invalid('Must be a valid UUID.')),
  datetime: (text) =>
    isDatetime(text) ? undefined : invalid('Must be a date and time of ISO 8601.'),
  flag_key: (text) =>
    /^[A-Za-z0-9_-]+$/.test(text)
      ? undefined
      : invalid('Only letters, digits, hyphens and underscores are allowed.'),
}

/** A list of choices, each of which may have other names. */
export type ChoiceFormat = {
  /** The choice that a text names; undefined when it names none. */
  readonly read: (text: string) => string | undefined
  /** The choice that a text which names none may mean. */
  readonly suggest: (text: string) => string | undefined
}

/** Forms that are lists of choices: tried on the text as sent, before any rule of length. */
export const CHOICE_FORMATS: Readonly<Record<string, ChoiceFormat>> = {
  time_zone: { read: readTimeZone, suggest: suggestTimeZone },
}

/** Linear in the length, and only for texts that a rule has bounded or a mailbox could have. */
export function isEmail(text: string): boolean {
  const at = text.lastIndexOf('@')
  if (at < 1 || text.length > 320) return false
  const local = text.slice(0, at)
  const domain = text.slice(at + 1)
  if (!LOCAL_PART.test(local) && !QUOTED_LOCAL_PART.test(local)) return false
  if (domain === 'localhost' || ADDRESS_LITERAL.test(domain)) return true
  const labels = domain.split('.')
  const top = labels.at(-1) ?? ''
  if (labels.length < 2 || !TOP_LABEL.test(top) || /^-|-$/.test(top)) return false
  return labels.every((label) => DOMAIN_LABEL.test(label)) && !/^\d+$/.test(top)
}

function isDatetime(text: string): boolean {
  const date = DATE.exec(text.slice(0, text.search(/[T ]/i)))
  const time = TIME.exec(text.slice(text.search(/[T ]/i) + 1))
  if (date === null || time === null) return false
  const [year = 0, month = 0, day = 0] = date.slice(1).map(Number)
  const [hour = 0, minute = 0, second = 0] = time.slice(1, 4).map((part) => Number(part ?? 0))
  const instant = new Date(0)
  instant.setUTCFullYear(year, month - 1, day)
  const isDay = instant.getUTCMonth() === month - 1 && instant.getUTCDate() === day
  return isDay && hour <= 23 && minute <= 59 && second <= 59
}

function invalid(detail: string): { readonly code: string; readonly detail: string } {
  return { code: 'invalid_input', detail }
}
