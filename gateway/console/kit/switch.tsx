type SwitchProps = {
  /** Name for screen readers. */
  readonly label: string
  readonly checked: boolean
  readonly onChange: (checked: boolean) => void
  /** The change is under way. */
  readonly busy?: boolean
  readonly disabled?: boolean
}

export function Switch({ label, checked, onChange, busy, disabled }: SwitchProps) {
  return (
    <button
      type="button"
      role="switch"
      class="switch"
      aria-label={label}
      aria-checked={checked}
      aria-busy={busy === true}
      disabled={disabled === true}
      onClick={() => busy !== true && onChange(!checked)}
    >
      <span class="switch-knob" />
    </button>
  )
}
