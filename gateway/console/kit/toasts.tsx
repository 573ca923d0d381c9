import { shared } from '../data/shared.ts'
import { after } from '../data/timers.ts'
import { useShared } from '../data/use-shared.ts'
import { Button } from './button.tsx'

type Toast = {
  readonly id: number
  readonly text: string
  readonly tone: 'good' | 'bad'
  readonly undo?: (() => void) | undefined
  readonly link?: { readonly href: string; readonly text: string } | undefined
}

const SHOWN_MS = 6_000
const TOASTS_MAX = 4
const toasts = shared<readonly Toast[]>([])
let last = 0

/** Reports success or failure for a moment. Texts that must be read belong in the page. */
export function toast(text: string, how: Partial<Omit<Toast, 'id' | 'text'>> = {}): void {
  last += 1
  const id = last
  const made: Toast = { id, text, tone: 'good', ...how }
  toasts.value = [...toasts.value, made].slice(-TOASTS_MAX)
  after(SHOWN_MS, () => dismiss(id))
}

function dismiss(id: number): void {
  toasts.value = toasts.value.filter((each) => each.id !== id)
}

export function Toasts() {
  return (
    <div class="toasts" role="status" aria-live="polite">
      {useShared(toasts).map(({ id, text, tone, undo, link }) => (
        <div key={id} class={`toast toast-${tone}`}>
          <span>{text}</span>
          {link !== undefined && <a href={link.href}>{link.text}</a>}
          {undo !== undefined && (
            <Button
              tone="quiet"
              onClick={() => {
                dismiss(id)
                undo()
              }}
            >
              Undo
            </Button>
          )}
          <Button tone="quiet" icon="close" aria-label="Dismiss" onClick={() => dismiss(id)} />
        </div>
      ))}
    </div>
  )
}
