/** Dialogs of things that have a name. What fails is said in the dialog, which stays open. */
import type { ComponentChildren } from 'preact'
import { Button } from '../kit/button.tsx'
import { Dialog } from '../kit/dialog.tsx'
import { Field } from '../kit/field.tsx'
import { useAction } from '../kit/use-action.ts'

type NameDialogProps = {
  readonly title: string
  readonly label: string
  readonly value?: string
  readonly action: string
  /** Ends with the dialog closed by the caller, or throws. */
  readonly onSubmit: (name: string) => Promise<void>
  readonly onClose: () => void
}

const NAME_MAX = 400

export function NameDialog({ title, label, value = '', action, ...on }: NameDialogProps) {
  const { busy, failure, run } = useAction(true)
  return (
    <Dialog title={title} onClose={on.onClose}>
      <form
        class="form"
        onSubmit={(event) => {
          event.preventDefault()
          const name = String(new FormData(event.currentTarget).get('name') ?? '').trim()
          run(() => on.onSubmit(name))
        }}
      >
        <Field
          {...{ label, name: 'name', required: true, autofocus: true, maxLength: NAME_MAX }}
          {...{ autocomplete: 'off', defaultValue: value, problem: failure?.detail }}
        />
        <Button tone="main" type="submit" busy={busy}>
          {action}
        </Button>
      </form>
    </Dialog>
  )
}

type ConfirmDialogProps = {
  readonly title: string
  readonly children: ComponentChildren
  readonly action: string
  readonly onConfirm: () => Promise<void>
  readonly onClose: () => void
}

/** Asks before something that cannot be taken back. */
export function ConfirmDialog({ title, children, action, onConfirm, onClose }: ConfirmDialogProps) {
  const { busy, failure, run } = useAction(true)
  return (
    <Dialog title={title} onClose={onClose}>
      <p>{children}</p>
      {failure !== undefined && (
        <p class="field-problem" role="alert">
          {failure.detail}
        </p>
      )}
      <p class="dialog-actions">
        <Button tone="danger" busy={busy} onClick={() => run(onConfirm)}>
          {action}
        </Button>
        <Button onClick={onClose}>Cancel</Button>
      </p>
    </Dialog>
  )
}
