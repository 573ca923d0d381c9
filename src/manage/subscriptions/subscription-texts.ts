/** Words of subscriptions: mails with pictures, and messages to chats. */
import { type MailText, oneLine, paragraphs } from '../../mail/mail-templates.ts'
import { UNSUBSCRIBE_PLACE } from '../../mail/smtp-mailer.ts'
import { plain } from '../chat/chat-templates.ts'
import { escaped } from '../export/drawing/svg.ts'

/** A part of what is sent: a picture, or words where there is none. */
export type Section = {
  readonly name: string
  /** Page of the part in the console. */
  readonly link: string
  /** Lines below the name. */
  readonly lines: readonly string[]
  readonly png: Uint8Array | undefined
}

export type Report = {
  readonly title: string
  readonly project: string
  /** Day on which it is sent, in words. */
  readonly day: string
  readonly link: string
  readonly sections: readonly Section[]
  /** Parts that were left out. */
  readonly more: number
}

export function reportSubject({ title, day }: Report): string {
  return `${oneLine(title)}, ${day}`
}

export function reportBody(report: Report, unsubscribeUrl: string): MailText['body'] {
  const { title, project, link, sections } = report
  return paragraphs([
    `${oneLine(title)}\nProject ${oneLine(project)}, ${report.day}\n${link}`,
    ...sections.map((each) =>
      [oneLine(each.name), ...each.lines.map(oneLine), each.link].filter(Boolean).join('\n'),
    ),
    moreOf(report),
    `To end these mails:\n${unsubscribeUrl}`,
  ])
}

const TEXT = 'font-family:system-ui,-apple-system,Segoe UI,Roboto,sans-serif;color:#15181d'
const NOTE = 'color:#646c79;font-size:13px'
const PICTURE = 'display:block;width:100%;max-width:720px;height:auto;border:1px solid #e2e5e9'

/** HTML with the place of an address to unsubscribe; every name is escaped. */
export function reportHtml(report: Report): string {
  const { title, project, link, sections } = report
  const more = moreOf(report)
  let picture = 0
  const parts = sections.map(({ name, link: page, lines, png }) => {
    const image =
      png === undefined
        ? ''
        : `<a href="${escaped(page)}"><img src="cid:picture-${picture++}" alt="${escaped(name)}" ` +
          `style="${PICTURE}"></a>`
    const words = lines.map((line) => `<p style="margin:4px 0">${escaped(line)}</p>`).join('')
    const heading = `<h2 style="font-size:16px;margin:24px 0 8px">${escaped(name)}</h2>`
    return `${png === undefined ? heading : '<p></p>'}${image}${words}`
  })
  return [
    '<!doctype html><html><head><meta charset="utf-8"></head>',
    `<body style="${TEXT}"><div style="max-width:720px;margin:0 auto">`,
    `<h1 style="font-size:20px"><a href="${escaped(link)}" style="color:#0b7268">`,
    `${escaped(title)}</a></h1><p style="${NOTE}">${escaped(project)} · ${escaped(report.day)}</p>`,
    ...parts,
    more === '' ? '' : `<p style="${NOTE}">${escaped(more)}</p>`,
    `<p style="${NOTE};margin-top:32px">`,
    `<a href="${UNSUBSCRIBE_PLACE}" style="color:#646c79">End these mails</a></p>`,
    '</div></body></html>',
  ].join('')
}

export function reportChat({ title, sections, link }: Report): string {
  const lines = sections.flatMap((each) => each.lines).map(plain)
  const words = lines.length === 0 ? '' : ` ${lines.join(' ')}`
  return `${plain(title)}:${words} ${link}`
}

function moreOf({ more }: Report): string {
  return more === 0 ? '' : `And ${more} more on the page.`
}
