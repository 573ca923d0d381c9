import type { Clock } from '../core/clock.ts'
import { withDeadline } from '../core/deadline.ts'
import { MAIL_ATTEMPT_MS } from '../core/limits/limits.ts'
import { once } from '../core/once.ts'
import type { MailExtras, NewMail } from '../store/people/mail-outbox-store.ts'

export type MailSettings = {
  /** `smtp://` (STARTTLS where the server offers it) or `smtps://`, with user and password. */
  readonly smtpUrl: string
  /** Address of the sender. */
  readonly from: string
}

export type MailOutcome =
  | { readonly kind: 'sent' }
  /** `reason` is a code. The server's words may repeat the address, so they are left out. */
  | {
      readonly kind: 'failed'
      readonly reason: string
      readonly isFinal: boolean
      /** Code with which the server refuses this address for good; undefined for other reasons. */
      readonly bounce?: number | undefined
    }

export type Mailer = {
  /** Sends one mail within `MAIL_ATTEMPT_MS`; an abort of `signal` ends it at once. Never rejects. */
  send(mail: NewMail, signal: AbortSignal, extras?: MailExtras): Promise<MailOutcome>
}

/** Place of the address to unsubscribe in HTML that mails share. */
export const UNSUBSCRIBE_PLACE = '{unsubscribe}'
/** Longest wait for the end of a connection. */
const CLOSE_MS = 1_000

/** Each mail has its own connection. Mails are few, so no connection stays open between them. */
export function createSmtpMailer({ clock }: { clock: Clock }, settings: MailSettings): Mailer {
  const { smtpUrl, from } = settings
  // Loaded with the first mail: most workers send none, and a start waits for what it loads.
  const open = once(async () => {
    const { createTransport } = await import('nodemailer')
    return createTransport({ url: smtpUrl, socketCloseTimeout: CLOSE_MS })
  })
  return {
    async send(mail, signal, extras) {
      const ended = new AbortController()
      const end = () => ended.abort()
      signal.addEventListener('abort', end, { once: true })
      if (signal.aborted) end()
      try {
        const transport = await open()
        const sending = transport.sendMail({
          ...composeMail(mail, from, extras),
          signal: ended.signal,
        })
        await withDeadline(clock, { ms: MAIL_ATTEMPT_MS, what: 'the mail server' }, sending)
        return { kind: 'sent' }
      } catch (error) {
        const [reason, bounce] = [reasonOf(error), bounceOf(error)]
        return { kind: 'failed', reason, isFinal: isFinal(error), bounce }
      } finally {
        signal.removeEventListener('abort', end)
        // Ends the connection of an attempt that has passed its deadline.
        end()
      }
    },
  }
}

/**
 * A row of the outbox as nodemailer takes it. Addresses are objects, which nodemailer does not
 * parse. It encodes the subject and removes line ends from every header.
 */
export function composeMail(mail: NewMail, from: string, extras?: MailExtras) {
  const { id, recipient, replyTo, subject, body } = mail
  return {
    from: { name: 'Sluice', address: from },
    to: { name: '', address: recipient },
    ...(replyTo === null ? {} : { replyTo: { name: '', address: replyTo } }),
    subject,
    text: body,
    // The same at each attempt, so that a mailbox can tell a second copy.
    messageId: `<${id}@${from.slice(from.lastIndexOf('@') + 1)}>`,
    // Stops vacation notices from answering; RFC 3834.
    headers: { 'Auto-Submitted': 'auto-generated', ...headersOf(extras) },
    ...partsOf(extras),
    disableFileAccess: true,
    disableUrlAccess: true,
  }
}

/**
 * True when the server refuses this recipient or this mail for good. Other 5xx replies answer the
 * login or the sender: an operator can correct those settings.
 */
function isFinal(error: unknown): boolean {
  const { responseCode, command } = factsOf(error)
  const isAboutMail = command === 'RCPT TO' || command === 'DATA'
  return isAboutMail && responseCode >= 500 && responseCode !== 503
}

function bounceOf(error: unknown): number | undefined {
  const { responseCode, command } = factsOf(error)
  return command === 'RCPT TO' && isFinal(error) ? responseCode : undefined
}

/** A button of mail programs, which ends such mails by POST: RFC 8058. */
function headersOf(extras: MailExtras | undefined): Readonly<Record<string, string>> {
  if (extras === undefined) return {}
  return {
    'List-Unsubscribe': `<${extras.unsubscribeUrl}>`,
    'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
  }
}

function partsOf(extras: MailExtras | undefined) {
  if (extras === undefined) return {}
  const attachments = extras.pictures.map((png, place) => ({
    filename: `picture-${place + 1}.png`,
    content: Buffer.from(png),
    contentType: 'image/png',
    contentDisposition: 'inline' as const,
    cid: `picture-${place}`,
  }))
  const html = extras.html.replaceAll(UNSUBSCRIBE_PLACE, extras.unsubscribeUrl)
  return { html, attachments }
}

function reasonOf(error: unknown): string {
  const { code, command, responseCode } = factsOf(error)
  return [code, command, responseCode === 0 ? '' : String(responseCode)].filter(Boolean).join(' ')
}

function factsOf(error: unknown): { code: string; command: string; responseCode: number } {
  const facts: { code?: unknown; command?: unknown; responseCode?: unknown } = Object(error)
  const { code, command, responseCode } = facts
  return {
    code: typeof code === 'string' ? code : 'unknown',
    command: typeof command === 'string' ? command : '',
    responseCode: typeof responseCode === 'number' ? responseCode : 0,
  }
}
