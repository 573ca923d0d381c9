import { Button } from '../button.tsx'
import { Dialog } from '../dialog.tsx'
import { Field } from '../field.tsx'
import { useAction } from '../use-action.ts'

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

/** Asks for a name. A failure is shown in the dialog, which stays open. */
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
          label={label}
          name="name"
          required
          autofocus
          maxLength={NAME_MAX}
          autocomplete="off"
          defaultValue={value}
          problem={failure?.detail}
        />
        <Button tone="main" type="submit" busy={busy}>
          {action}
        </Button>
      </form>
    </Dialog>
  )
}
