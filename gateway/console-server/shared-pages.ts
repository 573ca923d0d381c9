/**
 * Serves the pages of shared links: the shell of the console with a card for chats that unfold the
 * address, and for pages of other origins that embed it.
 */
import { join } from 'node:path'
import type { SharedCard } from '../../proto/gen/sluice/v1/SharedCard.ts'
import { hasCode } from '../../src/core/code.ts'
import { packageRoot } from '../../src/core/package-root.ts'
import type { HttpReply, HttpRequest } from '../http/http-server.ts'
import { readShell } from './console-files.ts'
import { NOT_ALLOWED, type ShellOptions, shellReply } from './shell-reply.ts'

/** Answers one request for the page of a link; `undefined` for other paths. */
export type SharedPages = (request: HttpRequest) => Promise<HttpReply> | undefined

/** @throws {AppError} `not_found` for a token that opens nothing. */
export type CardOf = (token: string, request: HttpRequest) => Promise<SharedCard>

/** Address of this instance for the sender of a request: `https://sluice.example.com`. */
export type SiteOf = (request: HttpRequest) => string

const PAGE = /^\/(shared|embedded)\/([0-9A-Za-z]{1,100})\/?$/
const UNLISTED = ['x-robots-tag', 'noindex'] as const

/** @param folder of the built console; where it is missing, no path is a link's. */
export function createSharedPages(
  cardOf: CardOf,
  siteOf: SiteOf,
  folder = join(packageRoot, 'dist', 'console'),
): SharedPages {
  const shell = readShell(folder)
  return (request) => {
    const [, kind, token] = PAGE.exec(request.path) ?? []
    if (shell === undefined || token === undefined) return undefined
    const page = { address: `${siteOf(request)}/shared/${token}`, isEmbedded: kind === 'embedded' }
    return answer(request, shell, page, () => cardOf(token, request))
  }
}

type Page = { readonly address: string; readonly isEmbedded: boolean }

async function answer(
  request: HttpRequest,
  shell: readonly string[],
  page: Page,
  card: () => Promise<SharedCard>,
): Promise<HttpReply> {
  if (request.method !== 'GET' && request.method !== 'HEAD') return NOT_ALLOWED
  return shellReply(request, shell, { ...(await lookOf(page, card)), headers: [UNLISTED] })
}

async function lookOf(
  { address, isEmbedded }: Page,
  cardOf: () => Promise<SharedCard>,
): Promise<ShellOptions> {
  try {
    const card = await cardOf()
    return isEmbedded ? { frames: card.embed_origins ?? [] } : { head: metaOf(card, address) }
  } catch (error) {
    // Without a worker there is no card; the page itself asks again, and says what is wrong.
    return hasCode(error, 'not_found') ? { status: 404 } : {}
  }
}

function metaOf(card: SharedCard, address: string): string {
  const { title = '', description = '', has_password: isLocked, has_picture: hasPicture } = card
  if (isLocked === true) return ''
  const shown = [
    ['title', title],
    ['description', description],
    ['site_name', 'Sluice'],
    ...(hasPicture === true ? pictureOf(address) : []),
  ].filter(([, text]) => text !== '')
  const metas = shown.map(
    ([name, text = '']) => `<meta property="og:${name}" content="${escaped(text)}">\n`,
  )
  return metas.join('') + (hasPicture === true ? LARGE : '')
}

/** Asks for the picture in its whole width. */
const LARGE = '<meta name="twitter:card" content="summary_large_image">\n'

function pictureOf(address: string) {
  return [
    ['image', `${address}/card.png`],
    ['image:type', 'image/png'],
    ['image:width', '1200'],
    ['image:height', '630'],
  ]
}

function escaped(text: string): string {
  return text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`)
}
