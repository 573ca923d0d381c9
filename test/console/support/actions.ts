/** Actions of people on a page, by the keyboard. */
import type { Page } from 'puppeteer-core'
import type { Screen } from './console.ts'
import { comeToRest } from './faults.ts'

export async function textOf({ page }: Screen, selector: string): Promise<string> {
  return await page.$eval(selector, ({ textContent }) => textContent ?? '')
}

/** Where the page is. The browser tells the library of it later than the page itself knows. */
export async function addressOf({ page }: Screen): Promise<URL> {
  return new URL(String(await page.evaluate('location.href')))
}

/**
 * Gives an element the focus, once it is there and may have it: what lies behind a dialog may not.
 * Resolves when it has it.
 */
export async function focusOn({ page }: Screen, selector: string): Promise<void> {
  await page.waitForFunction(`(() => {
    const element = document.querySelector(${JSON.stringify(selector)})
    element?.focus()
    return element !== null && document.activeElement === element
  })()`)
}

/** Types into a field that may have the focus. */
export async function typeInto(screen: Screen, selector: string, text: string): Promise<void> {
  await focusOn(screen, selector)
  await screen.page.keyboard.type(text)
}

/** Puts a long text into a field in one piece, as pasting does, in place of what it holds. */
export async function pasteInto(screen: Screen, selector: string, text: string): Promise<void> {
  await focusOn(screen, selector)
  await screen.page.evaluate('document.activeElement.select()')
  await screen.page.keyboard.sendCharacter(text)
}

/** Presses a button, a link, a box or a switch by a key. */
export async function pressOn(
  screen: Screen,
  selector: string,
  key: 'Enter' | 'Space' = 'Enter',
): Promise<void> {
  await focusOn(screen, selector)
  await screen.page.keyboard.press(key)
}

/** Clicks an element by the mouse where it stands when the page has come to rest. */
export async function clickOn({ page }: Screen, selector: string): Promise<void> {
  await page.waitForSelector(selector)
  await comeToRest(page)
  await page.click(selector)
}

/**
 * Presses the last button with this text once there is one that may be pressed. An item of a menu
 * is reached through the menu's button.
 */
export async function press({ page }: Screen, text: string): Promise<void> {
  const button = `[...document.querySelectorAll('button')].findLast(
    ({ textContent, disabled }) => textContent === ${JSON.stringify(text)} && !disabled,
  )`
  await page.waitForFunction(`${button} !== undefined`)
  const menu = await page.evaluate(`${button}?.closest('[role=menu][popover]')?.id`)
  if (typeof menu === 'string') await openMenu(page, menu)
  // The page may draw the button anew while it is looked for.
  await page.waitForFunction(`(() => {
    const button = ${button}
    button?.focus()
    return button !== undefined && document.activeElement === button
  })()`)
  await page.keyboard.press('Enter')
}

/** Chooses an item of the menu with this name. */
export async function choose({ page }: Screen, menu: string, item: string): Promise<void> {
  const list = `[role=menu][aria-label=${JSON.stringify(menu)}]`
  await page.waitForSelector(list)
  await openMenu(page, await page.$eval(list, ({ id }) => id))
  await page.waitForFunction(`(() => {
    const items = [...document.querySelectorAll(${JSON.stringify(`${list} [role=menuitem]`)})]
    const item = items.find(({ textContent }) => textContent === ${JSON.stringify(item)})
    item?.focus()
    return item !== undefined && document.activeElement === item
  })()`)
  await page.keyboard.press('Enter')
}

/** Unless it is open already. It has the focus then. */
async function openMenu(page: Page, id: string): Promise<void> {
  const menu = `document.getElementById(${JSON.stringify(id)})`
  const holds = `${menu}.matches(':popover-open') && ${menu}.contains(document.activeElement)`
  if ((await page.evaluate(holds)) === true) return
  await page.waitForFunction(`(() => {
    const button = document.querySelector(${JSON.stringify(`[popovertarget="${id}"]`)})
    button?.focus()
    return button !== null && document.activeElement === button
  })()`)
  await page.keyboard.press('Enter')
  await page.waitForFunction(holds)
}
