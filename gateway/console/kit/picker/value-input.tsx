import { useId, useState } from 'preact/hooks'
import { Field } from '../field.tsx'
import { later } from '../later.tsx'
import { useActive } from './use-active.ts'

const ValueOptions = later(async () => (await import('./value-popover.tsx')).ValueOptions)

type ValueInputProps = {
  readonly label: string
  readonly labelHidden?: boolean
  readonly hint?: string | undefined
  readonly placeholder?: string
  readonly value: string
  /** It may be empty. */
  readonly isFree?: boolean
  /** Takes the focus when shown. */
  readonly autofocus?: boolean
  /** Suggested values. */
  readonly options: readonly string[]
  readonly onChange: (text: string) => void
  readonly onChoose: (value: string) => void
}

const SHOWN_MAX = 20

/** A text with values to choose from below it, while it has the focus. */
export function ValueInput(props: ValueInputProps) {
  const { value, options: all, isFree = false, onChange, onChoose, ...field } = props
  const id = useId()
  const [isOpen, setOpen] = useState(false)
  const [isMoved, setMoved] = useState(false)
  const options = isOpen ? all.slice(0, SHOWN_MAX) : []
  const choose = (option: string) => {
    setOpen(false)
    setMoved(false)
    onChoose(option)
  }
  const active = useActive(id, options, choose)
  const { onKeyDown } = active.input
  return (
    <div onFocusOut={() => setOpen(false)}>
      <Field
        {...field}
        {...active.input}
        value={value}
        required={!isFree}
        autocomplete="off"
        spellcheck={false}
        aria-expanded={options.length > 0}
        aria-activedescendant={isMoved ? active.input['aria-activedescendant'] : undefined}
        onFocus={() => setOpen(true)}
        onClick={() => setOpen(true)}
        onInput={({ currentTarget: { value: text } }) => {
          setOpen(true)
          setMoved(false)
          active.set(0)
          onChange(text)
        }}
        onKeyDown={(event) => {
          if (event.key.startsWith('Arrow')) {
            setOpen(true)
            // The first arrow goes to the first value: text is sent as it is until then.
            if (!isMoved) {
              setMoved(true)
              event.preventDefault()
              return
            }
          }
          if (event.key === 'Escape' && options.length > 0) {
            setOpen(false)
            event.preventDefault()
          } else if (isMoved) onKeyDown?.(event)
        }}
      />
      {options.length > 0 && (
        // A click must not take the focus from the field.
        <div onPointerDown={(event) => event.preventDefault()}>
          <ValueOptions
            id={id}
            label={field.label}
            options={options}
            onChoose={choose}
            active={isMoved ? active : { ...active, at: -1 }}
          />
        </div>
      )}
    </div>
  )
}
