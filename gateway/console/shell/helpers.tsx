import { useShared } from '../data/use-shared.ts'
import { later } from '../kit/later.tsx'
import { shownHelper } from '../pages/shown-helper.ts'

const HELPERS = {
  palette: later(async () => (await import('./palette-dialog.tsx')).Palette),
  help: later(async () => (await import('./help-dialog.tsx')).Help),
} as const

/** The palette or the help, loaded when it is opened for the first time. */
export function Helpers() {
  const shown = useShared(shownHelper)
  if (shown === undefined) return null
  const Helper = HELPERS[shown]
  return (
    <Helper
      onClose={() => {
        shownHelper.value = undefined
      }}
    />
  )
}
