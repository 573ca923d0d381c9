import type { ComponentChildren } from 'preact'
import { useId, useLayoutEffect, useRef } from 'preact/hooks'
import { Button } from './button.tsx'

type DialogProps = {
  readonly title: string
  readonly onClose: () => void
  /** `drawer`: at the end of the page, over its whole height. */
  readonly shape?: 'dialog' | 'drawer' | 'palette'
  /** The title is for screen readers only. */
  readonly titleHidden?: boolean
  readonly children: ComponentChildren
}

/** A native dialog: it keeps the focus, closes by Escape, and gives the focus back. */
export function Dialog({ title, onClose, shape = 'dialog', titleHidden, children }: DialogProps) {
  const ref = useRef<HTMLDialogElement>(null)
  const id = useId()
  // With the drawing itself, so that no key is lost between the two.
  useLayoutEffect(() => {
    const dialog = ref.current
    if (dialog === null) return
    const before = document.activeElement
    dialog.showModal()
    let last = document.activeElement
    dialog.addEventListener('focusin', ({ target }) => {
      last = target as Element
    })
    const start = dialog.querySelector('[autofocus]') === null ? last : undefined
    // Fields may come later than the dialog, and in place of the button that was pressed.
    const focusField = () => {
      const isLost = last?.isConnected === false
      if (!isLost && last !== start) return
      const field = dialog.querySelector<HTMLElement>('input, select, textarea')
      const next = field ?? (isLost ? dialog.querySelector('button') : null)
      next?.focus()
    }
    const changes = new MutationObserver(focusField)
    focusField()
    changes.observe(dialog, { childList: true, subtree: true })
    return () => {
      changes.disconnect()
      dialog.close()
      if (before instanceof HTMLElement && before.isConnected) before.focus()
    }
  }, [])
  return (
    // Escape and the button close it by keys; a click on the backdrop is for the mouse.
    // biome-ignore lint/a11y/useKeyWithClickEvents: see above
    <dialog
      ref={ref}
      class={`dialog dialog-${shape}`}
      aria-labelledby={id}
      onCancel={(event) => {
        event.preventDefault()
        onClose()
      }}
      onClick={(event) => {
        if (event.target === ref.current) onClose()
      }}
    >
      <div class="dialog-body">
        <header class={titleHidden === true ? 'unseen' : 'dialog-head'}>
          <h2 id={id}>{title}</h2>
          <Button tone="quiet" icon="close" aria-label="Close" onClick={onClose} />
        </header>
        {children}
      </div>
    </dialog>
  )
}

export function Drawer(props: Omit<DialogProps, 'shape'>) {
  return <Dialog {...props} shape="drawer" />
}
