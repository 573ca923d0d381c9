import { useId, useRef, useState } from 'preact/hooks'
import { labelOf } from '../../../../src/core/charts/label.ts'
import { later } from '../later.tsx'
import type { Choice, Source } from './choice.ts'

const NamePopover = later(async () => (await import('./name-popover.tsx')).NamePopover)

type PickerProps = {
  readonly label: string
  readonly labelHidden?: boolean
  /** The name that is chosen; empty for none. */
  readonly value: string
  /** Sources of the names, in the order of their groups. */
  readonly from: readonly Source[]
  /** Label of no name. With `canClear` it may be chosen. */
  readonly none: string
  readonly canClear?: boolean
  readonly onChoose: (choice: Choice) => void
}

/** Picks an event or a property by its display name. Typing on the button starts a search. */
export function Picker(props: PickerProps) {
  const { label, labelHidden = false, value, none } = props
  const id = useId()
  const button = useRef<HTMLButtonElement>(null)
  /** Text typed before the list has loaded; undefined while it is closed. */
  const [typed, setTyped] = useState<string>()
  const close = () => {
    setTyped(undefined)
    button.current?.focus()
  }
  return (
    <div class="field">
      <span id={`${id}-label`} class={labelHidden ? 'unseen' : 'field-label'}>
        {label}
      </span>
      <button
        ref={button}
        type="button"
        id={id}
        class="input input-select"
        style={{
          overflow: 'hidden',
          textAlign: 'start',
          textOverflow: 'ellipsis',
          whiteSpace: 'nowrap',
        }}
        aria-haspopup="dialog"
        aria-expanded={typed !== undefined}
        aria-labelledby={`${id}-label ${id}`}
        title={value}
        onClick={() => setTyped('')}
        onKeyDown={(event) => {
          const { key, ctrlKey, metaKey, altKey } = event
          const isText = key.length === 1 && key !== ' ' && !(ctrlKey || metaKey || altKey)
          if (!isText && key !== 'ArrowDown') return
          event.preventDefault()
          // It is a letter of the search, not a key of the console.
          event.stopPropagation()
          setTyped((before = '') => before + (isText ? key : ''))
        }}
      >
        {value === '' ? none : labelOf(value)}
      </button>
      {typed !== undefined && (
        <NamePopover {...props} typed={typed} anchor={button} onClose={close} />
      )}
    </div>
  )
}
