import type { FunctionComponent } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import { shownHelper } from './keys.ts'

type HelperProps = { readonly onClose: () => void }

const LOADERS = {
  palette: async () => (await import('./palette.tsx')).Palette,
  help: async () => (await import('./help.tsx')).Help,
} as const

/** The palette or the help, loaded when somebody asks for it. */
export function Helpers() {
  const shown = shownHelper.value
  const [loaded, setLoaded] = useState<{ name: string; Helper: FunctionComponent<HelperProps> }>()
  useEffect(() => {
    let isWanted = true
    if (shown !== undefined) {
      void LOADERS[shown]().then((Helper) => isWanted && setLoaded({ name: shown, Helper }))
    }
    return () => {
      isWanted = false
    }
  }, [shown])
  if (shown === undefined || loaded?.name !== shown) return null
  const { Helper } = loaded
  return (
    <Helper
      onClose={() => {
        shownHelper.value = undefined
      }}
    />
  )
}
