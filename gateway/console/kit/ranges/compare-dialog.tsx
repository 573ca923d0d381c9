import { Button } from '../button.tsx'
import { Dialog } from '../dialog.tsx'
import { Field, Select } from '../field.tsx'

const UNITS = [
  { value: 'd', label: 'Days' },
  { value: 'w', label: 'Weeks' },
  { value: 'm', label: 'Months' },
  { value: 'y', label: 'Years' },
] as const
const COUNT_MAX = 999

type CompareDialogProps = {
  /** How much earlier the compared range is now: `-14d`. */
  readonly value: string
  readonly onChange: (value: string) => void
  readonly onClose: () => void
}

/** Asks how much earlier the compared range is. */
export function CompareDialog({ value, onChange, onClose }: CompareDialogProps) {
  const [, count = '1', unit = 'm'] = /^-(\d+)([dwmy])$/.exec(value) ?? []
  const send = (event: SubmitEvent & { readonly currentTarget: HTMLFormElement }) => {
    event.preventDefault()
    const data = new FormData(event.currentTarget)
    onChange(`-${Number(data.get('count'))}${String(data.get('unit'))}`)
  }
  return (
    <Dialog title="Compare to an earlier period" onClose={onClose}>
      <form class="form" onSubmit={send}>
        <Field
          label="Earlier by"
          name="count"
          type="number"
          min={1}
          max={COUNT_MAX}
          step={1}
          required
          defaultValue={count}
        />
        <Select label="Unit" name="unit" options={UNITS} defaultValue={unit} />
        <Button tone="main" type="submit">
          Compare
        </Button>
      </form>
    </Dialog>
  )
}
