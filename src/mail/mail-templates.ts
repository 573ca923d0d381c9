/** The texts of all mails. They are plain text: mail programs load and track nothing. */
import { EMAIL_TOKEN_HOURS, INVITE_DAYS } from '../core/limits/limits.ts'

export type MailText = {
  /** One line. */
  readonly subject: string
  readonly body: string
}

export type InviteMailFacts = {
  readonly inviter: Person
  readonly organization: string
  /** First name of the invited person; may be empty. */
  readonly firstName: string
  /** Words of the inviter; null or empty when there are none. */
  readonly message: string | null
  readonly link: string
}

/** `firstName` may be empty. */
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

/** Informs the members of an organization of a new one. */
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

/** Mail to an unconfirmed address; contains no text that its user can choose. */
export function confirmMail({ link }: { readonly link: string }): MailText {
  return {
    subject: 'Confirm your email address on Sluice',
    body: paragraphs([
      'Hello,',
      'Somebody who has an account on Sluice says that this address is theirs.',
      `If that was you, follow this link within ${EMAIL_TOKEN_HOURS} hours:\n${link}`,
      'If it was not, no answer is needed: without the link nothing happens.',
    ]),
  }
}

export type DisabledMailFacts = {
  readonly plugin: string
  readonly project: string
  readonly organization: string
}

/** Informs the members that the server has disabled a plugin. The plugin's log has the error. */
export function disabledMail(facts: DisabledMailFacts): MailText {
  const plugin = oneLine(facts.plugin)
  const project = oneLine(facts.project)
  return {
    subject: `${plugin} was disabled in ${project} on Sluice`,
    body: paragraphs([
      `The plugin ${plugin} failed and was disabled in the project ${project} of ` +
        `${oneLine(facts.organization)}.`,
      'Events are stored without it. Its log says what went wrong. Correct the cause, then enable ' +
        'the plugin again.',
      'You can switch these mails off in your notification settings.',
    ]),
  }
}

/** Joins the paragraphs that are not empty. */
export function paragraphs(texts: readonly string[]): string {
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
 * Makes control characters and line ends a space: a name must not make a line of its own, in a
 * header or in the text.
 */
export function oneLine(text: string): string {
  return text.replace(/[\p{Cc}\p{Zl}\p{Zp}\s]+/gu, ' ').trim()
}

/** Marks each line, to set the caller's words apart from ours. */
function quoted(message: string): string {
  if (message.trim() === '') return ''
  const lines = message.trim().split(/\r\n|[\n\r\v\f\u0085\u2028\u2029]/)
  return lines.map((line) => `> ${line.replace(/\p{Cc}/gu, ' ')}`.trimEnd()).join('\n')
}
