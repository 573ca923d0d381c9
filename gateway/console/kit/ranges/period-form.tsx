import { Button } from '../button.tsx'
import { Field, Select } from '../field.tsx'

const UNITS = [
  { value: 'd', label: 'Days' },
  { value: 'w', label: 'Weeks' },
  { value: 'm', label: 'Months' },
  { value: 'y', label: 'Years' },
] as const
const COUNT_MAX = 999

type PeriodFormProps = {
  readonly label: string
  readonly action: string
  /** A period: `-14d`. Other ranges give the fields no values. */
  readonly value: string
  readonly onSend: (period: string) => void
}

/** A number of days, weeks, months or years. */
export function PeriodForm({ label, action, value, onSend }: PeriodFormProps) {
  const [, count = '', unit = 'd'] = /^-(\d+)([dwmy])$/.exec(value) ?? []
  const send = (event: SubmitEvent & { readonly currentTarget: HTMLFormElement }) => {
    event.preventDefault()
    const data = new FormData(event.currentTarget)
    onSend(`-${Number(data.get('count'))}${String(data.get('unit'))}`)
  }
  return (
    <form class="form" onSubmit={send}>
      <Field
        label={label}
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
        {action}
      </Button>
    </form>
  )
}
