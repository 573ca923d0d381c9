/**
 * Single keys, for those who want them: `g` and a letter opens a page, `/` the filter, `j` and `k`
 * move in the rows, letters choose a date range, `?` is help. They can be switched off; the palette's keys always work.
 */
import { keep, kept } from '../data/kept.ts'
import { RANGE_KEYS } from '../data/ranges.ts'
import { shared } from '../data/shared.ts'
import { shownHelper } from '../pages/shown-helper.ts'
import { addressOf, navigable } from './routes.ts'

export const usesKeys = shared(kept('keys') !== 'off')

const SECOND_KEY_MS = 1_500

export function setUsesKeys(uses: boolean): void {
  usesKeys.value = uses
  keep('keys', uses ? undefined : 'off')
}

/** @returns a function that removes the listener. */
export function followKeys(
  project: () => number | undefined,
  navigate: (to: string) => void,
): () => void {
  // By the time stamps of the key events: a busy page handles them late.
  let goesUntil = 0
  const press = (event: KeyboardEvent) => {
    if ((event.metaKey || event.ctrlKey) && event.key.toLowerCase() === 'k') {
      event.preventDefault()
      shownHelper.value = shownHelper.value === 'palette' ? undefined : 'palette'
      return
    }
    if (!usesKeys.value || isTaken(event)) return
    if (event.timeStamp < goesUntil) {
      goesUntil = 0
      const id = project()
      const route = navigable().find(({ nav }) => nav?.letter === event.key)
      if (route !== undefined && id !== undefined) navigate(addressOf(route, id))
      return
    }
    if (event.key === 'g') goesUntil = event.timeStamp + SECOND_KEY_MS
    else act(event)
  }
  addEventListener('keydown', press)
  return () => removeEventListener('keydown', press)
}

function act(event: KeyboardEvent): void {
  if (event.key === '?') shownHelper.value = 'help'
  else if (event.key === '/') focusOn('[data-key=filter], main input[type=search]')
  else if (event.key === 'j' || event.key === 'k') passTo('[data-key=rows]', event.key)
  else if (event.key in RANGE_KEYS) passTo('main [data-key=range]', event.key)
  else return
  event.preventDefault()
}

/** Whether a key belongs to a field or a dialog, and is no shortcut. */
function isTaken({ target, metaKey, ctrlKey, altKey }: KeyboardEvent): boolean {
  if (metaKey || ctrlKey || altKey || document.querySelector('dialog[open]') !== null) return true
  return target instanceof Element && target.closest('input,textarea,select,[role=menu]') !== null
}

function focusOn(selector: string): HTMLElement | null {
  const element = document.querySelector<HTMLElement>(selector)
  element?.focus()
  return element
}

/** Gives a key to a part of the page, unless the focus is there: it has had the key then. */
function passTo(selector: string, key: string): void {
  if (document.activeElement?.closest(selector) !== null) return
  focusOn(selector)?.dispatchEvent(new KeyboardEvent('keydown', { key }))
}
