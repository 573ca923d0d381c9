/** The texts of messages to the chats of projects. */
import type { NewEventNames } from '../../store/projects/chat-outbox-store.ts'

type Person = { readonly first_name: string; readonly email: string }

/** Message about event names that a project has seen for the first time. */
export function newEventsText({ projectName, names, count }: NewEventNames): string {
  const named = names.map(quoted).join(', ')
  const more = count > names.length ? ` and ${count - names.length} more` : ''
  const what = count === 1 ? 'A new event' : `${count} new events`
  return `${what} in the project ${plain(projectName)}: ${named}${more}`
}

/** Message about an event that a member has verified. */
export function verifiedText(facts: {
  readonly event: string
  readonly project: string
  readonly by: Person | null
}): string {
  const { event, project, by } = facts
  const who = by === null ? '' : ` by ${plain(by.first_name) || plain(by.email)}`
  return `The event ${quoted(event)} in the project ${plain(project)} was verified${who}`
}

function quoted(name: string): string {
  return `"${plain(name)}"`
}

const ENTITIES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;' }

/** One line without mentions or links: names are chosen by the clients that capture. */
export function plain(text: string): string {
  return text
    .replace(/[\p{Cc}\p{Zl}\p{Zp}\s]+/gu, ' ')
    .replace(/[&<>]/g, (char) => ENTITIES[char] ?? '')
    .replace(/(?<!\w)@/g, '@\u200b')
    .trim()
}
