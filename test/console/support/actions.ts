/** What people do on a page, by the keyboard. */
import type { Screen } from './console.ts'

export async function textOf({ page }: Screen, selector: string): Promise<string> {
  return await page.$eval(selector, ({ textContent }) => textContent ?? '')
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
  const closed = '[role=menu][popover]:not(:popover-open)'
  const menu = await page.evaluate(`${button}?.closest('${closed}')?.id`)
  if (typeof menu === 'string') {
    await page.focus(`[popovertarget="${menu}"]`)
    await page.keyboard.press('Enter')
    await page.waitForSelector('[role=menu]:popover-open')
  }
  // The page may draw the button anew while it is looked for.
  await page.waitForFunction(`(() => {
    const button = ${button}
    button?.focus()
    return button !== undefined && document.activeElement === button
  })()`)
  await page.keyboard.press('Enter')
}
