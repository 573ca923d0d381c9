import { useState } from 'preact/hooks'
import {
  type Json,
  type Plugin,
  type PluginConfig,
  updatePluginConfig,
  updatePluginConfigSettings,
} from '../../../client/index.ts'
import { client } from '../../data/client.ts'
import { parsedJson } from '../../data/json.ts'
import { useProject } from '../../data/projects.ts'
import { Button } from '../../kit/button.tsx'
import { toast } from '../../kit/toasts.tsx'
import { useAction } from '../../kit/use-action.ts'
import { type Setting, settingsOf, shown, valuesOf } from './schema.ts'
import { SettingField } from './setting-field.tsx'
import { PLUGIN_TEXTS as TEXTS } from './texts.ts'

type SettingsFormProps = {
  readonly config: PluginConfig
  readonly plugin: Plugin
  readonly onConfig: (config: PluginConfig) => void
}

/** Typed values by setting; settings that are not in it keep their value. */
type Typed = ReadonlyMap<string, string | File>

/** The form that the plugin declares. Only what was changed is sent. */
export function SettingsForm({ config, plugin, onConfig }: SettingsFormProps) {
  const { id: project } = useProject()
  const [typed, setTyped] = useState<Typed>(new Map())
  const [round, setRound] = useState(0)
  const { busy, failure, run } = useAction(true)
  const settings = settingsOf(plugin.config_schema)
  const values = valuesOf(config.config)
  if (settings.length === 0) return <p class="plugin-note">{TEXTS.noSettings}</p>
  const type = (key: string, value: string | File | undefined) => {
    const next = new Map(typed)
    if (value === undefined) next.delete(key)
    else next.set(key, value)
    setTyped(next)
  }
  const isBroken = settings.some((setting) => jsonProblem(setting, typed) !== undefined)
  const save = () =>
    run(async () => {
      const place = { project_id: project, id: config.id }
      const files = Object.fromEntries([...typed].filter(([, value]) => value instanceof File))
      // Only files are left.
      const attachments = files as Readonly<Record<string, File>>
      const changed = changedOf(settings, typed)
      let saved: PluginConfig | undefined
      if (Object.keys(changed).length > 0) {
        saved = await updatePluginConfigSettings(client, { ...place, settings: changed })
      }
      if (Object.keys(attachments).length > 0) {
        saved = await updatePluginConfig(client, { ...place, attachments })
      }
      if (saved !== undefined) onConfig(saved)
      setTyped(new Map())
      setRound(round + 1)
      toast(saved === undefined ? TEXTS.nothing : TEXTS.saved)
    })
  return (
    <form
      class="plugin-form"
      onSubmit={(event) => {
        event.preventDefault()
        save()
      }}
    >
      {settings.map((setting) => (
        <SettingField
          // A new key resets the field after a save.
          key={`${setting.key} ${round}`}
          setting={setting}
          value={values[setting.key]}
          typed={typed.get(setting.key)}
          problem={jsonProblem(setting, typed) ?? refusalOf(setting, failure)}
          onType={(value) => type(setting.key, value)}
        />
      ))}
      {failure !== undefined && !settings.some((each) => refusalOf(each, failure)) && (
        <p class="field-problem" role="alert">
          {failure.detail}
        </p>
      )}
      <Button tone="main" type="submit" busy={busy} disabled={isBroken}>
        {TEXTS.save}
      </Button>
    </form>
  )
}

function refusalOf(
  { key }: Setting,
  failure: { readonly attr: string | null; readonly detail: string } | undefined,
): string | undefined {
  return failure?.attr?.split(/[._]{1,2}/).includes(key) || failure?.attr?.endsWith(key)
    ? failure.detail
    : undefined
}

function jsonProblem({ key, type }: Setting, typed: Typed): string | undefined {
  const text = typed.get(key)
  if (type !== 'json' || typeof text !== 'string' || text.trim() === '') return undefined
  return parsedJson(text) === undefined ? TEXTS.badJson : undefined
}

/** An empty field clears a setting; of a secret the empty text does. */
function changedOf(settings: readonly Setting[], typed: Typed): Readonly<Record<string, Json>> {
  const entries = settings.flatMap((setting): (readonly [string, Json])[] => {
    const text = typed.get(setting.key)
    if (typeof text !== 'string') return []
    return [[setting.key, readValue(setting, text)]]
  })
  return Object.fromEntries(entries)
}

function readValue({ type, isSecret, choices }: Setting, text: string): Json {
  if (text === '') return isSecret ? '' : null
  if (type === 'json') return parsedJson(text) ?? null
  if (type === 'choice') return choices.find((choice) => shown(choice) === text) ?? text
  return text
}
