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
  const menu = await page.evaluate(`${button}?.closest('[role=menu][popover]')?.id`)
  if (typeof menu === 'string') {
    const isOpen = await page.evaluate(
      `document.getElementById('${menu}').matches(':popover-open')`,
    )
    if (isOpen !== true) {
      await page.focus(`[popovertarget="${menu}"]`)
      await page.keyboard.press('Enter')
    }
    // It is drawn when it is open, and takes the focus then.
    await page.waitForFunction(`document.getElementById('${menu}').matches(':popover-open') &&
      document.getElementById('${menu}').contains(document.activeElement)`)
  }
  // The page may draw the button anew while it is looked for.
  await page.waitForFunction(`(() => {
    const button = ${button}
    button?.focus()
    return button !== undefined && document.activeElement === button
  })()`)
  await page.keyboard.press('Enter')
}
