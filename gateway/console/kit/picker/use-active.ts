import type { JSX } from 'preact'
import { useEffect, useState } from 'preact/hooks'

export type Active = {
  readonly at: number
  readonly set: (at: number) => void
  /** For the field that the list belongs to. */
  readonly input: JSX.InputHTMLAttributes<HTMLInputElement>
}

/** Highlighted option: arrows move it, Enter chooses it, the focus stays in the field. */
export function useActive<Option>(
  id: string,
  options: readonly Option[],
  onChoose: (option: Option) => void,
): Active {
  const [wanted, set] = useState(0)
  const at = Math.min(wanted, options.length - 1)
  useEffect(() => {
    document.getElementById(`${id}-${at}`)?.scrollIntoView({ block: 'nearest' })
  }, [at])
  return {
    at,
    set,
    input: {
      role: 'combobox',
      'aria-expanded': true,
      'aria-controls': `${id}-list`,
      'aria-autocomplete': 'list',
      'aria-activedescendant': at < 0 ? undefined : `${id}-${at}`,
      onKeyDown: (event) => {
        const next = nextOf(event.key, at, options.length)
        const option = options[at]
        if (next !== undefined) set(next)
        else if (event.key === 'Enter' && option !== undefined) onChoose(option)
        else return
        event.preventDefault()
      },
    },
  }
}

/** Home and End belong to the text of the field. */
function nextOf(key: string, at: number, count: number): number | undefined {
  if (count === 0) return undefined
  if (key === 'ArrowDown') return (at + 1) % count
  if (key === 'ArrowUp') return (at + count - 1) % count
  if (key === 'PageDown') return Math.min(count - 1, at + PAGE)
  if (key === 'PageUp') return Math.max(0, at - PAGE)
  return undefined
}

const PAGE = 8
