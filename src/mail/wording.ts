/** Every mail that is sent, in its words. Plain text: nothing in it is fetched, run or tracked. */
import { INVITE_DAYS } from '../core/limits/limits.ts'

export type MailText = {
  /** One line. */
  readonly subject: string
  readonly body: string
}

export type InviteMailFacts = {
  readonly inviter: Person
  readonly organization: string
  /** Of the invited person; may be empty. */
  readonly firstName: string
  /** From the inviter; null or empty when there is none. */
  readonly message: string | null
  readonly link: string
}

/** The name may be empty. */
export type Person = { readonly firstName: string; readonly email: string }

export function inviteMail(facts: InviteMailFacts): MailText {
  const { inviter, message, link } = facts
  const organization = oneLine(facts.organization)
  return {
    subject: `${nameOf(inviter)} invites you to join ${organization} on Sluice`,
    body: paragraphs([
      greeting(facts.firstName),
      `${nameAndAddress(inviter)} invites you to join ${organization} on Sluice.`,
      quoted(message ?? ''),
      `To accept within ${INVITE_DAYS} days, follow this link:\n${link}`,
      'Keep the link to yourself: whoever has it can accept in your place.',
      'If you do not know what this is about, no answer is needed.',
    ]),
  }
}

/** To members, of a new one. */
export function joinMail(facts: { joined: Person; organization: string }): MailText {
  const organization = oneLine(facts.organization)
  return {
    subject: `${nameOf(facts.joined)} joined ${organization} on Sluice`,
    body: paragraphs([
      `${nameAndAddress(facts.joined)} accepted an invite and is now a member of ${organization}.`,
      'Administrators can switch these mails off in the settings of the organization.',
    ]),
  }
}

export type DisabledMailFacts = {
  readonly plugin: string
  readonly project: string
  readonly organization: string
}

/** To members, of a plugin that the server has disabled; the log has what it threw. */
export function disabledMail(facts: DisabledMailFacts): MailText {
  const plugin = oneLine(facts.plugin)
  const project = oneLine(facts.project)
  return {
    subject: `${plugin} was disabled in ${project} on Sluice`,
    body: paragraphs([
      `The plugin ${plugin} failed and was disabled in the project ${project} of ` +
        `${oneLine(facts.organization)}.`,
      'Events are stored without it. Its log says what went wrong. Once that is mended, enable ' +
        'the plugin again.',
      'You can switch these mails off in your notification settings.',
    ]),
  }
}

/** What is empty is left out. */
function paragraphs(texts: readonly string[]): string {
  return `${texts.filter((text) => text !== '').join('\n\n')}\n`
}

function greeting(firstName: string): string {
  const name = oneLine(firstName)
  return name === '' ? 'Hello,' : `Hello ${name},`
}

function nameOf({ firstName, email }: Person): string {
  return oneLine(firstName) || email
}

function nameAndAddress({ firstName, email }: Person): string {
  const name = oneLine(firstName)
  return name === '' ? email : `${name} (${email})`
}

/**
 * Control characters and everything that ends a line become a space: a name must not make a line of
 * its own, in a header or in the text.
 */
function oneLine(text: string): string {
  return text.replace(/[\p{Cc}\p{Zl}\p{Zp}\s]+/gu, ' ').trim()
}

/** Marked line by line, so that nobody takes the words of a caller for ours. */
function quoted(message: string): string {
  if (message.trim() === '') return ''
  const lines = message.trim().split(/\r\n|[\n\r\v\f\u0085\u2028\u2029]/)
  return lines.map((line) => `> ${line.replace(/\p{Cc}/gu, ' ')}`.trimEnd()).join('\n')
}
