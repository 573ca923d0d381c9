/** Renders SVG as PNG, off the event loop, with a font of the product's own. */
import { createRequire } from 'node:module'
import { AppError } from '../../core/code.ts'
import { createGate } from '../../core/gate.ts'
import { once } from '../../core/once.ts'
import { throttledDetail } from '../../wire/details.ts'

/** Pictures that are rendered at a time: each holds a thread, and four bytes a pixel. */
const PICTURES_RENDERING_MAX = 2
/** Pictures that wait. */
const PICTURES_WAITING_MAX = 64
const RETRY_AFTER_S = 2

export type RenderPng = (svg: string, signal: AbortSignal) => Promise<Uint8Array>

/**
 * A worker has one for exports, one for subscriptions and one for cards of links, so that none
 * waits behind the others.
 * @param runningMax pictures that are rendered at a time.
 * @returns throws `resource_exhausted` when too many pictures wait.
 */
export function createPngRenderer(runningMax = PICTURES_RENDERING_MAX): RenderPng {
  // Loaded with the first picture: most workers render none.
  const open = once(async () => {
    const { renderAsync } = await import('@resvg/resvg-js')
    const { resolve } = createRequire(import.meta.url)
    const fontFiles = ['DejaVuSans', 'DejaVuSans-Bold'].map((name) =>
      resolve(`dejavu-fonts-ttf/ttf/${name}.ttf`),
    )
    const font = { loadSystemFonts: false, fontFiles, defaultFontFamily: 'DejaVu Sans' }
    return (svg: string) => renderAsync(svg, { font })
  })
  const gate = createGate({
    runningMax,
    waitingMax: PICTURES_WAITING_MAX,
    refuse: () =>
      new AppError('resource_exhausted', 'too many pictures wait', {
        detail: throttledDetail(RETRY_AFTER_S),
      }),
    cancelled: (cause) => new AppError('cancelled', 'the caller has left', { cause }),
  })
  return async (svg, signal) => {
    const render = await open()
    return await gate.run(async () => (await render(svg)).asPng(), signal)
  }
}
