import type { ComponentChildren } from 'preact'

type CountProps = {
  /** Opens those behind the number; undefined where nothing opens. */
  readonly open: (() => void) | undefined
  readonly children: ComponentChildren
}

/** A number of an answer. */
export function Count({ open, children }: CountProps) {
  if (open === undefined) return <span class="figure">{children}</span>
  return (
    <button type="button" class="link figure" onClick={open}>
      {children}
    </button>
  )
}
