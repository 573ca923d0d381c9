import { useState } from 'preact/hooks'
import type { Json } from '../../../client/index.ts'
import { isRecord } from '../../data/json.ts'
import { Button } from '../../kit/button.tsx'
import { Field, Select, TextArea } from '../../kit/field.tsx'
import { isMasked, type Setting, shown } from './schema.ts'
import { PLUGIN_TEXTS as TEXTS } from './texts.ts'

type SettingFieldProps = {
  readonly setting: Setting
  /** As it is stored; a secret is masked. */
  readonly value: Json | undefined
  readonly typed: string | File | undefined
  readonly problem: string | undefined
  /** Undefined discards the typed value. */
  readonly onType: (value: string | File | undefined) => void
}

const LONG = 60

/** Field of one setting, by its type. */
export function SettingField(props: SettingFieldProps) {
  const { setting, value, typed, problem, onType } = props
  if (setting.isSecret && setting.type !== 'attachment') return <SecretField {...props} />
  const { key, hint, isRequired: required } = setting
  const text = typeof typed === 'string' ? typed : shown(value)
  const shared = { label: labelOf(setting), hint, problem, name: key }
  if (setting.type === 'attachment') {
    return (
      <Field
        {...shared}
        type="file"
        hint={[nameOfFile(value), hint].filter(Boolean).join(' ')}
        onChange={(event) => onType(event.currentTarget.files?.[0])}
      />
    )
  }
  if (setting.type === 'choice') {
    const none = { value: '', label: `${TEXTS.byDefault} (${shown(setting.default)})` }
    const choices = setting.choices.map((each) => ({ value: shown(each), label: shown(each) }))
    return (
      <Select
        {...shared}
        value={text}
        options={[none, ...choices]}
        onChange={(event) => onType(event.currentTarget.value)}
      />
    )
  }
  const typing = {
    ...shared,
    required,
    value: text,
    placeholder: shown(setting.default),
    spellcheck: false,
    onInput: (event: { readonly currentTarget: { readonly value: string } }) =>
      onType(event.currentTarget.value),
  }
  return setting.type === 'json' || text.length > LONG ? (
    <TextArea {...typing} />
  ) : (
    <Field {...typing} autocomplete="off" />
  )
}

/** Field of a secret, whose value is never shown: it can only be set, replaced or cleared. */
function SecretField({ setting, value, typed, problem, onType }: SettingFieldProps) {
  const [isOpen, setOpen] = useState(false)
  const label = labelOf(setting)
  const close = () => {
    onType(undefined)
    setOpen(false)
  }
  if (isOpen) {
    return (
      <div class="plugin-secret-edit">
        <Field
          label={label}
          problem={problem}
          name={setting.key}
          type="password"
          hint={setting.hint}
          autocomplete="off"
          value={typeof typed === 'string' ? typed : ''}
          onInput={(event) => onType(event.currentTarget.value || undefined)}
        />
        <Button onClick={close}>{TEXTS.keep}</Button>
      </div>
    )
  }
  const isCleared = typed === ''
  const isSet = isMasked(value) && !isCleared
  return (
    <fieldset class="plugin-secret">
      <legend class="field-label">{label}</legend>
      <span class={isSet ? 'plugin-set' : 'plugin-note'}>
        {isCleared ? TEXTS.cleared : isSet ? TEXTS.set : TEXTS.notSet}
      </span>
      <Button aria-label={`${TEXTS.replace}: ${setting.name}`} onClick={() => setOpen(true)}>
        {TEXTS.replace}
      </Button>
      {isSet && (
        <Button aria-label={`${TEXTS.clear}: ${setting.name}`} onClick={() => onType('')}>
          {TEXTS.clear}
        </Button>
      )}
      {isCleared && <Button onClick={close}>{TEXTS.keep}</Button>}
      {setting.hint !== undefined && <p class="field-hint">{setting.hint}</p>}
      {problem !== undefined && (
        <p class="field-problem" role="alert">
          {problem}
        </p>
      )}
    </fieldset>
  )
}

function labelOf({ name, isRequired }: Setting): string {
  return isRequired ? `${name} (${TEXTS.required})` : name
}

function nameOfFile(value: Json | undefined): string {
  return isRecord(value) ? `${TEXTS.set}: ${String(value['file_name'] ?? '')}.` : ''
}
