/** Answers those who open a shared link. */
import type { OpenSharedLinkRequest__Output } from '../../../proto/gen/sluice/v1/OpenSharedLinkRequest.ts'
import type { SharedCard } from '../../../proto/gen/sluice/v1/SharedCard.ts'
import { clientAddress } from '../../access/client-address.ts'
import { found, notFound } from '../../access/errors.ts'
import { keyDigest } from '../../access/keys.ts'
import { createBoundedMap } from '../../core/bounded-map.ts'
import type { Clock } from '../../core/clock.ts'
import { hasCode } from '../../core/code.ts'
import { isList } from '../../core/json.ts'
import type { Sql } from '../../postgres/connect.ts'
import { findOpenLink, type OpenLink } from '../../store/sharing/shared-link-store.ts'
import type { CallContext } from '../../wire/call.ts'
import { fromValue } from '../../wire/proto/value.ts'
import { createKept } from './kept.ts'
import { createLinkEntry } from './link-entry.ts'
import type { SharedAnswers } from './shared-answers.ts'
import { readSharedPage, type SharedPage } from './shared-page.ts'
import type { SharedPictures } from './shared-pictures.ts'

/**
 * Time for which a link that was found is not looked up again. With the ways of a call it is less
 * than the second for which a revoked link may open.
 */
const LINK_KEPT_MS = 900
const LINKS_MAX = 1_000
/** Time for which the tiles of a page are not read again. */
const PAGE_KEPT_MS = 60_000
const PAGES_MAX = 500
const PAGES_BYTES_MAX = 16_777_216

export type LinkOpenerDeps = {
  readonly sql: Sql
  readonly clock: Clock
  readonly answers: SharedAnswers
  readonly pictures: SharedPictures
  /** True for the token of a member of the cluster. */
  readonly isMember: (token: string) => boolean
  readonly entry?: ReturnType<typeof createLinkEntry>
}

export type LinkOpener = {
  /** JSON of the page, or of answers. */
  open(request: OpenSharedLinkRequest__Output, context: CallContext): Promise<string>
  card(token: string, context: CallContext): Promise<SharedCard>
  /**
   * PNG for the card.
   * @throws {AppError} `not_found` as `open`, and where there is none.
   */
  picture(token: string, context: CallContext): Promise<Uint8Array>
  /** Looks every link up again: one was changed here. */
  forget(): void
}

/**
 * One for all calls of a worker. Calls for no project go to one worker while it stays, so that its
 * counts and answers are those of the cluster.
 */
export function createLinkOpener(deps: LinkOpenerDeps): LinkOpener {
  const { sql, clock, answers, pictures, isMember, entry = createLinkEntry(clock) } = deps
  const links = createKept<OpenLink>(clock, {
    keepMs: LINK_KEPT_MS,
    entriesMax: LINKS_MAX,
    bytesMax: Infinity,
    bytesOf: () => 0,
  })
  const known = createBoundedMap<string, true>({ entriesMax: LINKS_MAX })
  const pages = createKept<SharedPage>(clock, {
    keepMs: PAGE_KEPT_MS,
    entriesMax: PAGES_MAX,
    bytesMax: PAGES_BYTES_MAX,
    bytesOf: ({ shown }) => JSON.stringify(shown).length * 2,
  })
  const linkOf = async (token: string, network: string): Promise<OpenLink> => {
    const digest = keyDigest(token)
    const name = digest.toString('base64')
    // Whoever has guessed too much still opens what others open.
    if (known.get(name) === undefined) entry.beforeGuess(network)
    const find = async () => {
      const link = await findOpenLink(sql, digest)
      if (link === undefined) throw notFound()
      return link
    }
    try {
      const link = await links.get(name, find)
      known.set(name, true)
      return link
    } catch (error) {
      if (hasCode(error, 'not_found')) {
        known.delete(name)
        entry.guessed(network)
      }
      throw error
    }
  }
  const opened = async (token: string, context: CallContext) => {
    const network = clientAddress(isMember, context)
    entry.fromNetwork(network)
    const link = await linkOf(token, network)
    entry.ofLink(link.id)
    return { link, network }
  }
  const pageOf = (link: OpenLink) =>
    pages.get(`${link.id} ${link.revision}`, () => readSharedPage(sql, link))
  const card: LinkOpener['card'] = async (token, context) => {
    const { link } = await opened(token, context)
    const { shown, embedOrigins, pictured } = await pageOf(link)
    const isOpen = link.passwordHash === null
    return {
      title: isOpen ? shown.title : '',
      description: isOpen ? shown.description : '',
      has_password: !isOpen,
      embed_origins: [...embedOrigins],
      has_picture: isOpen && pictured !== undefined,
    }
  }
  const picture: LinkOpener['picture'] = async (token, context) => {
    const { link } = await opened(token, context)
    if (link.passwordHash !== null) throw notFound()
    return found(await pictures.draw(link, await pageOf(link)))
  }
  const open: LinkOpener['open'] = async (request, context) => {
    const { token, query, password, pass: earlier } = request
    const { link, network } = await opened(token, context)
    const pass = await entry.open(link, { network, password, pass: earlier }, context.signal)
    const page = await pageOf(link)
    const asked = fromValue(query)
    if (isList(asked)) return await answers.answer(link, page, asked)
    return JSON.stringify(pass === undefined ? page.shown : { ...page.shown, pass })
  }
  return { open, card, picture, forget: links.clear }
}
