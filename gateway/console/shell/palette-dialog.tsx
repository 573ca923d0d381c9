import { useEffect, useId, useState } from 'preact/hooks'
import { useLocation } from 'wouter-preact'
import { currentProject } from '../data/projects.ts'
import { pause } from '../data/timers.ts'
import { Dialog } from '../kit/dialog.tsx'
import { type Hit, pageHits, searchHits } from './palette-search.ts'

const TYPING_MS = 120
const SEARCH_CHARS_MIN = 2

/** Command palette: one field that finds everything; arrows choose, Enter opens. */
export function Palette({ onClose }: { readonly onClose: () => void }) {
  const [, navigate] = useLocation()
  const [text, setText] = useState('')
  const [at, setAt] = useState(0)
  const { hits, isSearching } = useHits(text)
  const id = useId()
  const open = (hit: Hit | undefined) => {
    if (hit === undefined) return
    onClose()
    navigate(hit.href)
  }
  const press = (event: KeyboardEvent) => {
    if (event.key === 'Enter') open(hits[at])
    else if (event.key === 'ArrowDown') setAt(Math.min(hits.length - 1, at + 1))
    else if (event.key === 'ArrowUp') setAt(Math.max(0, at - 1))
    else return
    event.preventDefault()
  }
  return (
    <Dialog title="Find" titleHidden shape="palette" onClose={onClose}>
      <input
        class="input palette-input"
        role="combobox"
        aria-label="Find a page, flag, person, cohort, event or insight"
        aria-expanded={hits.length > 0}
        aria-controls={id}
        aria-activedescendant={hits[at] === undefined ? undefined : `${id}-${at}`}
        placeholder="Find a page, flag, person, cohort, event or insight"
        autocomplete="off"
        spellcheck={false}
        autofocus
        value={text}
        onInput={({ currentTarget }) => {
          setText(currentTarget.value)
          setAt(0)
        }}
        onKeyDown={press}
      />
      <div id={id} role="listbox" aria-label="Found" class="palette-list">
        {hits.map((hit, index) => (
          // The field has the focus and the keys; a click is for the mouse.
          // biome-ignore lint/a11y/useKeyWithClickEvents: see above
          // biome-ignore lint/a11y/useFocusableInteractive: named by the field
          <div
            key={`${hit.kind} ${hit.href}`}
            id={`${id}-${index}`}
            role="option"
            aria-selected={index === at}
            class="palette-item"
            onClick={() => open(hit)}
          >
            <span class="palette-label">{hit.label}</span>
            <span class="palette-kind">{hit.kind}</span>
          </div>
        ))}
      </div>
      <p class="palette-note" role="status">
        {isSearching ? 'Searching…' : hits.length === 0 ? 'No results.' : ''}
      </p>
    </Dialog>
  )
}

function useHits(text: string): { readonly hits: readonly Hit[]; readonly isSearching: boolean } {
  const project = currentProject()?.id
  const [found, setFound] = useState<{ readonly text: string; readonly hits: readonly Hit[] }>()
  const isAsked = project !== undefined && text.length >= SEARCH_CHARS_MIN
  useEffect(() => {
    if (!isAsked) return undefined
    const leaving = new AbortController()
    const { signal } = leaving
    const search = async () => {
      await pause(TYPING_MS, signal)
      const hits = signal.aborted ? [] : await searchHits(project, text, signal)
      if (!signal.aborted) setFound({ text, hits })
    }
    void search()
    return () => leaving.abort()
  }, [project, text, isAsked])
  if (project === undefined) return { hits: [], isSearching: false }
  const others = isAsked ? (found?.hits ?? []) : []
  return {
    hits: [...pageHits(project, text), ...others],
    isSearching: isAsked && found?.text !== text,
  }
}
