/** Looks of alerts. They are styled in place: a style sheet would load with the page. */
import { ALERT_TEXTS as TEXTS } from './texts.ts'

export const STYLES = {
  list: {
    display: 'grid',
    gap: 'var(--space-4)',
    marginBlock: 'var(--space-4) 0',
    padding: 0,
    listStyle: 'none',
  },
  item: { paddingBlockEnd: 'var(--space-4)', borderBlockEnd: '1px solid var(--line)' },
  head: { display: 'flex', alignItems: 'center', gap: 'var(--space-3)' },
  name: { flex: 1, overflowWrap: 'anywhere' },
  facts: { display: 'flex', flexWrap: 'wrap', gap: 'var(--space-1) var(--space-4)' },
  bounds: {
    display: 'grid',
    gridTemplateColumns: '1fr 1fr',
    alignItems: 'start',
    gap: 'var(--space-4)',
  },
  users: { display: 'grid', gap: 'var(--space-2)', margin: 0, padding: 0, border: 0 },
  check: { display: 'flex', gap: 'var(--space-2)', overflowWrap: 'anywhere' },
} as const

type AlertStateProps = { readonly state: string; readonly isTold?: boolean }

/** `Firing`, `Not firing`, `Errored` or `Disabled`. */
export function AlertState({ state, isTold = false }: AlertStateProps) {
  const isBad = state === 'Firing' || state === 'Errored'
  return (
    <span style={{ color: isBad ? 'var(--bad)' : 'var(--text-3)', whiteSpace: 'nowrap' }}>
      {state}
      {isTold && `, ${TEXTS.notified}`}
    </span>
  )
}
