import { useShared } from '../data/use-shared.ts'
import { Dialog } from '../kit/dialog.tsx'
import { Switch } from '../kit/switch.tsx'
import { setUsesKeys, usesKeys } from './keys.ts'
import { navigable } from './routes.ts'

const KEYS = [
  ['⌘ K or Ctrl K', 'Find a page, flag, person, cohort, event or insight'],
  ['/', 'Filter or search'],
  ['j, k', 'Next row, previous row'],
  ['Enter', 'Open the row'],
  ['d, e, w, t, m, y, a', 'Today, yesterday, 7 or 30 days, this month, this year, all time'],
  ['Esc', 'Close'],
  ['?', 'This help'],
] as const

/** Keyboard shortcuts, and a switch for the single keys. */
export function Help({ onClose }: { readonly onClose: () => void }) {
  const pages = navigable().flatMap(({ nav, name }) =>
    nav === undefined ? [] : [[`g ${nav.letter}`, name] as const],
  )
  return (
    <Dialog title="Keyboard shortcuts" onClose={onClose}>
      <dl class="keys">
        {[...KEYS, ...pages].map(([key, meaning]) => (
          <div key={key}>
            <dt>
              <kbd>{key}</kbd>
            </dt>
            <dd>{meaning}</dd>
          </div>
        ))}
      </dl>
      <div class="keys-switch">
        <span>Single-key shortcuts</span>
        <Switch label="Single-key shortcuts" checked={useShared(usesKeys)} onChange={setUsesKeys} />
      </div>
      <a href="/api/docs/">API reference</a>
    </Dialog>
  )
}
