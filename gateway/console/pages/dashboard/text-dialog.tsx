import { Button } from '../../kit/button.tsx'
import { Dialog } from '../../kit/dialog.tsx'
import { TextArea } from '../../kit/field.tsx'
import { DIALOG_TEXTS as TEXTS } from './dialog-texts.ts'

type TextDialogProps = {
  readonly body: string
  readonly onSave: (body: string) => void
  readonly onClose: () => void
}

/** Edits a text tile. Text is shown as written, without markup. */
export function TextDialog({ body, onSave, onClose }: TextDialogProps) {
  return (
    <Dialog title={TEXTS.editTitle} onClose={onClose}>
      <form
        class="form"
        onSubmit={(event) => {
          event.preventDefault()
          onSave(String(new FormData(event.currentTarget).get('body') ?? ''))
        }}
      >
        <TextArea label={TEXTS.body} name="body" required defaultValue={body} rows={6} autofocus />
        <Button tone="main" type="submit">
          {TEXTS.saveText}
        </Button>
      </form>
    </Dialog>
  )
}
