type ChoiceProps = {
  readonly name: string
  readonly label: string
  readonly checked: boolean
  readonly disabled?: boolean
}

/** Checkbox in a form that is sent as a whole. */
export function Choice({ name, label, checked, disabled }: ChoiceProps) {
  return (
    <label class="settings-choice">
      <input type="checkbox" name={name} defaultChecked={checked} disabled={disabled === true} />
      <span>{label}</span>
    </label>
  )
}
