import { Button } from '../../kit/button.tsx'
import { copyText } from '../../kit/copy-as.tsx'
import { Dialog } from '../../kit/dialog.tsx'
import { SETTINGS_TEXTS as TEXTS } from './texts.ts'

type ShownOnceProps = {
  readonly title: string
  /** Noun of the secret for the copy button: "Key". */
  readonly what: string
  readonly value: string
  readonly note: string
  readonly onClose: () => void
}

/** Shows a secret once: it cannot be seen again after the dialog is closed. */
export function ShownOnce({ title, what, value, note, onClose }: ShownOnceProps) {
  return (
    <Dialog title={title} onClose={onClose}>
      <p>{note}</p>
      <code class="settings-secret">{value}</code>
      <div class="actions">
        <Button tone="main" icon="copy" autofocus onClick={() => void copyText(value, what)}>
          Copy
        </Button>
        <Button onClick={onClose}>{TEXTS.kept}</Button>
      </div>
    </Dialog>
  )
}
