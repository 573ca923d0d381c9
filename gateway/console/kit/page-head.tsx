import type { ComponentChildren } from 'preact'
import type { Call } from '../data/calls.ts'
import { CopyAs } from './copy-as.tsx'

type PageHeadProps = {
  readonly title: string
  /** A sentence or figure below the title. */
  readonly note?: ComponentChildren
  /** Call that "Copy as curl" copies; the newest call of the page when absent. */
  readonly call?: Call | undefined
  /** Buttons of the page. */
  readonly children?: ComponentChildren
}

/** The head of every page: its heading takes the focus when the page is opened. */
export function PageHead({ title, note, call, children }: PageHeadProps) {
  return (
    <header class="page-head">
      <div class="page-title">
        <h1 tabIndex={-1}>{title}</h1>
        {note !== undefined && <p class="page-note">{note}</p>}
      </div>
      <div class="page-actions">
        {children}
        <CopyAs call={call} />
      </div>
    </header>
  )
}
