import { useState } from 'preact/hooks'
import { labelOfRange, RANGES, rangeOf, textOfRange } from '../data/ranges.ts'
import { Button } from './button.tsx'
import { Dialog } from './dialog.tsx'
import { Field } from './field.tsx'
import { Menu } from './menu.tsx'

type DateRangeProps = {
  /** As in the address: `-7d`, `2026-01-01..2026-01-31`. */
  readonly value: string
  readonly onChange: (value: string) => void
  /** What an empty value means; without it there is always a range. */
  readonly none?: string
}

/** Chooses a range by name, or two days of the project's zone. */
export function DateRangePicker({ value, onChange, none }: DateRangeProps) {
  const [isOpen, setOpen] = useState(false)
  return (
    <>
      <Menu
        label="Date range"
        items={[
          ...(none === undefined
            ? []
            : [{ label: none, isChosen: value === '', onSelect: () => onChange('') }]),
          ...RANGES.map((range) => ({
            label: range.label,
            isChosen: range.value === value,
            onSelect: () => onChange(range.value),
          })),
          { label: 'Choose days…', onSelect: () => setOpen(true) },
        ]}
      >
        <span class="unseen">Date range: </span>
        {value === '' && none !== undefined ? none : labelOfRange(value)}
      </Menu>
      {isOpen && (
        <DaysDialog
          value={value}
          onClose={() => setOpen(false)}
          onChange={(next) => {
            setOpen(false)
            onChange(next)
          }}
        />
      )}
    </>
  )
}

const DAY = /^\d{4}-\d\d-\d\d$/

function DaysDialog({ value, onChange, onClose }: DateRangeProps & { onClose: () => void }) {
  const { date_from, date_to = '' } = rangeOf(value)
  const [problem, setProblem] = useState<string>()
  const send = (event: SubmitEvent & { readonly currentTarget: HTMLFormElement }) => {
    event.preventDefault()
    const data = new FormData(event.currentTarget)
    const [from, to] = [String(data.get('from')), String(data.get('to'))]
    if (from > to) setProblem('The last day is before the first.')
    else onChange(textOfRange({ date_from: from, date_to: to }))
  }
  return (
    <Dialog title="Choose days" onClose={onClose}>
      <form class="form" onSubmit={send}>
        <Field
          {...{ label: 'First day', name: 'from', type: 'date', required: true }}
          defaultValue={DAY.test(date_from) ? date_from : ''}
        />
        <Field
          {...{ label: 'Last day', name: 'to', type: 'date', required: true, problem }}
          defaultValue={DAY.test(date_to) ? date_to : ''}
        />
        <Button tone="main" type="submit">
          Show these days
        </Button>
      </form>
    </Dialog>
  )
}
