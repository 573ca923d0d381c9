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

const PAGE = /^\/(shared|embedded)\/([0-9A-Za-z]{1,100})\/?$/
const UNLISTED = ['x-robots-tag', 'noindex'] as const

/** @param folder of the built console; where it is missing, no path is a link's. */
export function createSharedPages(
  cardOf: CardOf,
  folder = join(packageRoot, 'dist', 'console'),
): SharedPages {
  const shell = readShell(folder)
  return (request) => {
    const [, kind, token] = PAGE.exec(request.path) ?? []
    if (shell === undefined || token === undefined) return undefined
    return answer(request, shell, kind === 'embedded', () => cardOf(token, request))
  }
}

async function answer(
  request: HttpRequest,
  shell: readonly string[],
  isEmbedded: boolean,
  card: () => Promise<SharedCard>,
): Promise<HttpReply> {
  if (request.method !== 'GET' && request.method !== 'HEAD') return NOT_ALLOWED
  return shellReply(request, shell, { ...(await lookOf(isEmbedded, card)), headers: [UNLISTED] })
}

async function lookOf(
  isEmbedded: boolean,
  cardOf: () => Promise<SharedCard>,
): Promise<ShellOptions> {
  try {
    const card = await cardOf()
    return isEmbedded ? { frames: card.embed_origins ?? [] } : { head: metaOf(card) }
  } catch (error) {
    // Without a worker there is no card; the page itself asks again, and says what is wrong.
    return hasCode(error, 'not_found') ? { status: 404 } : {}
  }
}

function metaOf({ title = '', description = '', has_password: isLocked }: SharedCard): string {
  if (isLocked === true) return ''
  const shown = [
    ['title', title],
    ['description', description],
    ['site_name', 'Sluice'],
  ].filter(([, text]) => text !== '')
  return shown
    .map(([name, text = '']) => `<meta property="og:${name}" content="${escaped(text)}">\n`)
    .join('')
}

function escaped(text: string): string {
  return text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`)
}
