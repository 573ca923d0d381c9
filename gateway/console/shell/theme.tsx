import { signal } from '@preact/signals'
import { keep, kept } from '../data/kept.ts'
import { Menu } from '../kit/menu.tsx'

const THEMES = ['system', 'light', 'dark'] as const
type Theme = (typeof THEMES)[number]

const LABELS: Readonly<Record<Theme, string>> = {
  system: 'As the system',
  light: 'Light',
  dark: 'Dark',
}

const theme = signal<Theme>(THEMES.find((each) => each === kept('theme')) ?? 'system')

/** Changes the theme. The HTML applies a stored one before the first paint. */
function choose(next: Theme): void {
  theme.value = next
  keep('theme', next === 'system' ? undefined : next)
  if (next === 'system') delete document.documentElement.dataset['theme']
  else document.documentElement.dataset['theme'] = next
}

export function ThemeMenu() {
  return (
    <Menu
      label="Theme"
      tone="quiet"
      items={THEMES.map((each) => ({
        label: LABELS[each],
        isChosen: theme.value === each,
        onSelect: () => choose(each),
      }))}
    />
  )
}
