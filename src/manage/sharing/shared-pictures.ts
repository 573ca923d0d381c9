/**
 * Pictures of links for their cards. One is drawn once of each kept answer, and told as long as
 * that answer is.
 */
import { keyDigest } from '../../access/keys.ts'
import type { Clock } from '../../core/clock.ts'
import { isObject, listOf, objectOf, own } from '../../core/json.ts'
import { parseExact } from '../../core/json-text/exact-numbers.ts'
import type { OpenLink } from '../../store/sharing/shared-link-store.ts'
import { svgOf } from '../export/export-answer.ts'
import type { RenderPng } from '../export/png.ts'
import { createKept } from './kept.ts'
import { ANSWER_TOLD_MS, type SharedAnswers } from './shared-answers.ts'
import type { SharedPage } from './shared-page.ts'

/** 1200 by 630, as chats show it: some 600 wide, with letters as large as those of the chat. */
const CARD_SIZE = { width: 600, height: 315, scale: 2 }
/** Pictures that a worker keeps, and their bytes. */
const PICTURES_MAX = 500
const PICTURES_BYTES_MAX = 16_777_216

export type SharedPictures = {
  /**
   * PNG; undefined for a page with nothing to draw, or whose question has no answer.
   * @throws {AppError} `resource_exhausted` when too many wait; errors of the store.
   */
  draw(link: OpenLink, page: SharedPage): Promise<Uint8Array | undefined>
}

type SharedPicturesDeps = {
  readonly clock: Clock
  readonly answers: SharedAnswers
  readonly renderPng: RenderPng
}

export function createSharedPictures(deps: SharedPicturesDeps): SharedPictures {
  const { clock, answers, renderPng } = deps
  const kept = createKept<Uint8Array | undefined>(clock, {
    keepMs: ANSWER_TOLD_MS,
    entriesMax: PICTURES_MAX,
    bytesMax: PICTURES_BYTES_MAX,
    bytesOf: (png) => png?.length ?? 0,
  })
  return {
    async draw(link, page) {
      const { pictured } = page
      if (pictured === undefined) return undefined
      const { name, asked, question } = pictured
      const text = await answers.answer(link, page, [asked])
      const key = keyDigest(JSON.stringify([link.id, name, text])).toString('base64')
      return await kept.get(key, async () => {
        const [answer] = listOf(own(objectOf(parseExact(text)), 'results'))
        if (!isObject(answer) || own(answer, 'error') !== undefined) return undefined
        const svg = svgOf({ name, question }, answer, CARD_SIZE, 'light')
        // The next one who asks has the picture, if this one has left.
        return await renderPng(svg, new AbortController().signal)
      })
    },
  }
}
