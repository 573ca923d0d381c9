import {
  getPlugin,
  getPluginConfig,
  type Plugin,
  type PluginConfig,
  updatePluginConfig,
} from '../../../client/index.ts'
import { client } from '../../data/client.ts'
import { failureOf } from '../../data/failure.ts'
import { useProject } from '../../data/projects.ts'
import { useResource } from '../../data/resource.ts'
import { useQueryState } from '../../data/url.ts'
import { Loaded } from '../../kit/loaded.tsx'
import { PageHead } from '../../kit/page-head.tsx'
import { TableSkeleton } from '../../kit/skeleton.tsx'
import { Switch } from '../../kit/switch.tsx'
import { Tabs } from '../../kit/tabs.tsx'
import { useAction } from '../../kit/use-action.ts'
import { NotFound } from '../not-found.tsx'
import type { PageProps } from '../page-props.ts'
import { ConfigTab } from './config-tab.tsx'
import { LogsTab } from './logs-tab.tsx'
import '../../styles/diff.css'
import './plugin.css'
import { SourceTab } from './source-tab.tsx'
import { TABS, PLUGIN_TEXTS as TEXTS } from './texts.ts'
import { TryTab } from './try-tab.tsx'

export default function PluginPage({ params }: PageProps) {
  const { id: project, organization } = useProject()
  const { id = '' } = params
  const loaded = useResource(`plugin-config ${project} ${id}`, async (signal) => {
    const config = await getPluginConfig(client, { project_id: project, id }, { signal })
    const place = { organization_id: organization, id: config.plugin }
    return { config, plugin: await getPlugin(client, place, { signal }) }
  })
  if (loaded.data === undefined && loaded.error !== undefined) {
    if (failureOf(loaded.error).kind === 'missing') return <NotFound what="plugin" />
  }
  return (
    <>
      {loaded.data === undefined && <PageHead title={TEXTS.title} />}
      <Loaded of={loaded} skeleton={<TableSkeleton rows={5} height={64} />}>
        {({ config, plugin }) => (
          <PluginView
            config={config}
            plugin={plugin}
            onReload={loaded.reload}
            onConfig={(next) => loaded.set({ plugin, config: next })}
          />
        )}
      </Loaded>
    </>
  )
}

type PluginViewProps = {
  readonly config: PluginConfig
  readonly plugin: Plugin
  readonly onConfig: (config: PluginConfig) => void
  readonly onReload: () => void
}

function PluginView({ config, plugin, onConfig, onReload }: PluginViewProps) {
  const { id: project } = useProject()
  const [tab] = useQueryState('tab', 'config')
  const { busy, run } = useAction()
  const home = `/project/${project}/plugins`
  const change = (enabled: boolean) =>
    run(async () => {
      const error = enabled ? { error: null } : {}
      const changed = { project_id: project, id: config.id, enabled, ...error }
      onConfig(await updatePluginConfig(client, changed))
    })
  const tabs = TABS.map(({ id, name }) => ({
    id,
    name,
    href: `${home}/${config.id}${id === 'config' ? '' : `?tab=${id}`}`,
  }))
  return (
    <>
      <PageHead title={plugin.name} note={<a href={home}>{TEXTS.back}</a>}>
        <Switch label={plugin.name} checked={config.enabled} busy={busy} onChange={change} />
      </PageHead>
      <Tabs label={TEXTS.parts} tabs={tabs} chosen={tab} />
      {tab === 'config' && (
        <ConfigTab
          config={config}
          plugin={plugin}
          onConfig={onConfig}
          onSwitch={() => change(true)}
        />
      )}
      {tab === 'source' && <SourceTab plugin={plugin} onSaved={onReload} />}
      {tab === 'try' && <TryTab config={config} />}
      {tab === 'logs' && <LogsTab config={config} />}
    </>
  )
}
