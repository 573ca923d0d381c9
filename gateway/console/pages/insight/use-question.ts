import { useEffect, useRef } from 'preact/hooks'
import { navigate, useLocationProperty } from 'wouter-preact/use-browser-location'
import type { JsonObject } from '../../../client/index.ts'
import { hashOf, questionInHash } from '../../questions/address.ts'
import { NEW_QUESTION } from '../../questions/question.ts'
import { followed, trailFrom } from './trail.ts'

export type Edited = {
  readonly question: JsonObject
  /** Whether there are unsaved changes. */
  readonly isChanged: boolean
  /** Whether the address holds an invalid question. */
  readonly isUnreadable: boolean
  readonly change: (next: JsonObject) => void
  /** Undefined where there is nothing to go back to. */
  readonly undo: (() => void) | undefined
  readonly redo: (() => void) | undefined
}

/** Question of the address, or the saved one. Each change is a step of the history. */
export function useQuestion(saved: JsonObject | undefined): Edited {
  const hash = useLocationProperty(() => location.hash)
  const trail = useRef(trailFrom(hash))
  trail.current = followed(trail.current, hash)
  const { past, future } = trail.current
  const before = past.at(-1)
  const after = future[0]
  const undo = before === undefined ? undefined : () => go(before)
  const redo = after === undefined ? undefined : () => go(after)
  useUndoKeys(undo, redo)
  const asked = questionInHash(hash)
  const question = asked ?? saved ?? NEW_QUESTION
  return {
    question,
    isChanged: JSON.stringify(question) !== JSON.stringify(saved),
    isUnreadable: asked === undefined && hash !== '',
    change: (next) => go(hashOf(next)),
    undo,
    redo,
  }
}

function go(hash: string): void {
  if (hash !== location.hash) navigate(location.pathname + location.search + hash)
}

/** Binds the undo keys outside of fields, which use them for their own text. */
function useUndoKeys(undo: (() => void) | undefined, redo: (() => void) | undefined): void {
  const latest = useRef({ undo, redo })
  latest.current = { undo, redo }
  useEffect(() => {
    const press = (event: KeyboardEvent) => {
      if (event.key.toLowerCase() !== 'z' || !(event.metaKey || event.ctrlKey)) return
      if (event.target instanceof Element && event.target.closest('input,textarea,dialog')) return
      event.preventDefault()
      if (event.shiftKey) latest.current.redo?.()
      else latest.current.undo?.()
    }
    addEventListener('keydown', press)
    return () => removeEventListener('keydown', press)
  }, [])
}
