import { useState } from 'preact/hooks'
import { navigate } from 'wouter-preact/use-browser-location'
import {
  deletePluginConfig,
  type Plugin,
  type PluginConfig,
  updatePluginConfig,
} from '../../../client/index.ts'
import { client } from '../../data/client.ts'
import { isRecord } from '../../data/json.ts'
import { useProject } from '../../data/projects.ts'
import { Button } from '../../kit/button.tsx'
import { Confirm } from '../../kit/dialogs/asks.ts'
import { toast } from '../../kit/toasts.tsx'
import { useAction } from '../../kit/use-action.ts'
import { SettingsForm } from './settings-form.tsx'
import { PLUGIN_TEXTS as TEXTS } from './texts.ts'

type ConfigTabProps = {
  readonly config: PluginConfig
  readonly plugin: Plugin
  readonly onConfig: (config: PluginConfig) => void
  readonly onSwitch: () => void
}

export function ConfigTab({ config, plugin, onConfig, onSwitch }: ConfigTabProps) {
  return (
    <div class="plugin-stack">
      {plugin.description !== null && <p class="plugin-note">{plugin.description}</p>}
      {config.error !== null && <Failed config={config} onSwitch={onSwitch} />}
      {config.plugin_update !== null && <Newer config={config} onConfig={onConfig} />}
      <SettingsForm config={config} plugin={plugin} onConfig={onConfig} />
      <Removal config={config} />
    </div>
  )
}

type OfConfig = { readonly config: PluginConfig }

function Failed({ config, onSwitch }: OfConfig & { readonly onSwitch: () => void }) {
  const { error } = config
  return (
    <div class="failure" role="alert">
      <h2>{TEXTS.error}</h2>
      {isRecord(error) && <p>{String(error['message'] ?? '')}</p>}
      <Button onClick={onSwitch}>{TEXTS.again}</Button>
    </div>
  )
}

/** Offers the newer version: a pipeline runs the one that was adopted, not the one saved last. */
function Newer({ config, onConfig }: OfConfig & Pick<ConfigTabProps, 'onConfig'>) {
  const { id: project } = useProject()
  const { busy, run } = useAction()
  const { id, plugin_update: version, plugin_version: old } = config
  const take = () =>
    run(async () => {
      if (version === null) return
      const change = { project_id: project, id, plugin_version: version }
      onConfig(await updatePluginConfig(client, change))
      toast(TEXTS.taken)
    })
  return (
    <div class="plugin-newer">
      <p>
        {TEXTS.update}: {old} → {version}
      </p>
      <Button busy={busy} onClick={take}>
        {TEXTS.take}
      </Button>
    </div>
  )
}

function Removal({ config }: OfConfig) {
  const { id: project } = useProject()
  const [asks, setAsks] = useState(false)
  const { busy, run } = useAction()
  const remove = () =>
    run(async () => {
      await deletePluginConfig(client, { project_id: project, id: config.id })
      navigate(`/project/${project}/plugins`)
    })
  return (
    <div>
      <Button tone="danger" onClick={() => setAsks(true)}>
        {TEXTS.removal}
      </Button>
      {asks && (
        <Confirm
          title={TEXTS.removalTitle}
          action={TEXTS.remove}
          busy={busy}
          onConfirm={remove}
          onClose={() => setAsks(false)}
        >
          <p>{TEXTS.removalText}</p>
        </Confirm>
      )}
    </div>
  )
}
