import type { ComponentChildren } from 'preact'
import { useState } from 'preact/hooks'
import { Button } from '../button.tsx'
import { Dialog } from '../dialog.tsx'
import { Field } from '../field.tsx'

type ConfirmDialogProps = {
  /** A question: "Delete this key?" */
  readonly title: string
  /** Explanation of the consequences. */
  readonly children: ComponentChildren
  /** Label of the confirming button. */
  readonly action: string
  /** Word that must be typed first, where a slip would be costly. */
  readonly typed?: { readonly label: string; readonly word: string }
  readonly busy?: boolean
  /** Disables the action; the text says why. */
  readonly blocked?: boolean
  /** Reason of a failure, shown in the dialog, which stays open. */
  readonly problem?: string | undefined
  readonly onConfirm: () => void
  readonly onClose: () => void
}

/** Asks before an action that cannot be undone. */
export function ConfirmDialog(props: ConfirmDialogProps) {
  const { title, children, action, typed, busy = false, problem, onConfirm, onClose } = props
  const [text, setText] = useState('')
  const isReady = props.blocked !== true && (typed === undefined || text.trim() === typed.word)
  return (
    <Dialog title={title} onClose={onClose}>
      <form
        class="form"
        onSubmit={(event) => {
          event.preventDefault()
          if (isReady && !busy) onConfirm()
        }}
      >
        <div class="confirm-text">{children}</div>
        {typed !== undefined && (
          <Field
            label={typed.label}
            hint={<code>{typed.word}</code>}
            name="typed"
            autocomplete="off"
            spellcheck={false}
            value={text}
            onInput={(event) => setText(event.currentTarget.value)}
          />
        )}
        {problem !== undefined && (
          <p class="field-problem" role="alert">
            {problem}
          </p>
        )}
        <div class="actions">
          <Button onClick={onClose}>Cancel</Button>
          <Button tone="danger" type="submit" busy={busy} disabled={!isReady}>
            {action}
          </Button>
        </div>
      </form>
    </Dialog>
  )
}
