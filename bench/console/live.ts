/** How soon an event that is stored, and a flag that was switched, are on the screen. */
import { systemClock as clock } from '../../src/core/clock.ts'
import { AppError } from '../../src/core/code.ts'
import { figuresOf, openTab, type Place } from './tab.ts'

/** The clocks of the page and of this process are those of one machine. */
const NOW = 'performance.timeOrigin + performance.now()'

export async function measureLive(place: Place, events: number): Promise<object> {
  const { page, close } = await openTab(place, `/project/${place.project.projectId}/live`)
  await page.waitForSelector('.live-open')
  const ms: number[] = []
  // The first starts parts of both sides, and is not counted.
  for (let number = 0; number <= events; number++) {
    const name = `seen ${number}`
    const shown = page.evaluate(`new Promise((done) => {
      const look = () => document.querySelector('tbody')?.textContent.includes(${JSON.stringify(name)})
        ? requestAnimationFrame(() => done(${NOW})) : requestAnimationFrame(look)
      look()
    })`)
    const answered = capture(place, name).then(() => performance.timeOrigin + performance.now())
    const [shownAt, answeredAt] = await Promise.all([shown as Promise<number>, answered])
    if (number > 0) ms.push(Math.max(0, shownAt - answeredAt))
    // Above the bound of events a second none would be shown.
    await clock.sleep(100)
  }
  await close()
  return figuresOf(ms)
}

async function capture({ url, project }: Place, event: string): Promise<void> {
  const response = await fetch(`${url}/capture/`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ api_key: project.apiKey, event, distinct_id: 'somebody' }),
  })
  if (!response.ok) throw new AppError('unavailable', `a capture was answered ${response.status}`)
}

/** Measures from the press of a switch until it is saved, and until gateways hold the change. */
export async function measureSwitch(place: Place, presses: number): Promise<object> {
  const { page, close } = await openTab(place, `/project/${place.project.projectId}/feature_flags`)
  const name = '[role=switch][aria-label="bench-flag-1"]'
  await page.waitForSelector(name)
  const saved: number[] = []
  const held: number[] = []
  for (let press = 0; press <= presses; press++) {
    const took = (await page.evaluate(PRESS.replaceAll('NAME', JSON.stringify(name)))) as Took
    if (press === 0) continue
    saved.push(took.saved)
    held.push(took.held)
  }
  await close()
  return { saved: figuresOf(saved), held: figuresOf(held) }
}

type Took = { readonly saved: number; readonly held: number }

/** Presses a switch. The text about a change is empty between the last change and the new one. */
const PRESS = `(async () => {
  const flag = document.querySelector(NAME)
  const before = flag.getAttribute('aria-checked')
  const words = () => document.querySelector('.flags-held')?.textContent ?? ''
  const from = performance.now()
  const saved = new Promise((done) => {
    const look = () => {
      const now = document.querySelector(NAME)
      return now.getAttribute('aria-checked') !== before && now.ariaBusy !== 'true' && !now.disabled
        ? done(performance.now() - from) : requestAnimationFrame(look)
    }
    look()
  })
  const held = new Promise((done) => {
    let isOld = words() !== ''
    const observer = new MutationObserver(() => {
      if (words() === '') isOld = false
      if (isOld || !words().startsWith('In force')) return
      observer.disconnect()
      requestAnimationFrame(() => done(performance.now() - from))
    })
    observer.observe(document.body, { childList: true, characterData: true, subtree: true })
  })
  flag.click()
  return { saved: await saved, held: await held }
})()`
