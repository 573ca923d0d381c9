/** How smoothly a list of a thousand rows scrolls. */
import { figuresOf, openTab, type Place } from './tab.ts'

const ROWS = 1_000
const STEP_PX = 60

/** Frames while the list is scrolled a step each frame, from its top to its end. */
export async function measureScroll(place: Place): Promise<object> {
  const { page, close } = await openTab(place, `/project/${place.project.projectId}/events`)
  await page.waitForSelector('.table tbody tr')
  for (;;) {
    const held = (await page.evaluate(HELD)) as number
    if (held >= ROWS) break
    await page.evaluate(PRESS_MORE)
    await page.waitForFunction(`${HELD} > ${held}`)
  }
  const frames = (await page.evaluate(SCROLL)) as readonly number[]
  await close()
  const slow = frames.filter((ms) => ms > 1_000 / 60 + 1).length
  return { frameMs: figuresOf(frames), framesOver60th: slow }
}

/** Number of rows that the list holds, from its foot. */
const HELD = `Number((document.querySelector('main').innerText.match(/([\\d,]+) of [\\d,]+/)?.[1] ?? '0').replaceAll(',', ''))`
const PRESS_MORE = `[...document.querySelectorAll('main button')].find(({ innerText }) => innerText === 'Load more').click()`
const SCROLL = `new Promise((done) => {
  const list = [...document.querySelectorAll('main *')].find((each) =>
    each.scrollHeight > each.clientHeight + 1000 && getComputedStyle(each).overflowY === 'auto') ?? document.scrollingElement
  const end = list.scrollHeight - list.clientHeight - 1
  const frames = []
  let last
  const step = (at) => {
    if (last !== undefined) frames.push(at - last)
    last = at
    const before = list.scrollTop
    list.scrollTop += ${STEP_PX}
    // More rows come as the end comes near: they do not count.
    if (list.scrollTop === before || list.scrollTop >= end) return done(frames)
    requestAnimationFrame(step)
  }
  requestAnimationFrame(step)
})`
