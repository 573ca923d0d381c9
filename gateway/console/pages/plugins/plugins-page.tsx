import { useState } from 'preact/hooks'
import {
  listPluginConfigs,
  listPlugins,
  type Plugin,
  type PluginConfig,
  rearrangePluginConfigs,
  updatePluginConfig,
} from '../../../client/index.ts'
import { client } from '../../data/client.ts'
import { useProject } from '../../data/projects.ts'
import { useResource } from '../../data/resource.ts'
import { Button } from '../../kit/button.tsx'
import { Empty } from '../../kit/empty.tsx'
import { Loaded } from '../../kit/loaded.tsx'
import { PageHead } from '../../kit/page-head.tsx'
import { TableSkeleton } from '../../kit/skeleton.tsx'
import { useAction } from '../../kit/use-action.ts'
import { AddPlugin } from './add-plugin.tsx'
import { PipelineStep } from './pipeline-step.tsx'
import './plugins.css'
import { PLUGINS_TEXTS as TEXTS } from './texts.ts'

const PLUGINS_MAX = 1000

type Loadedness = {
  readonly configs: readonly PluginConfig[]
  readonly plugins: readonly Plugin[]
}

export default function PluginsPage() {
  const { id: project, organization } = useProject()
  const [isAdding, setAdding] = useState(false)
  const { busy, run } = useAction()
  const loaded = useResource(`plugins ${project}`, async (signal): Promise<Loadedness> => {
    const limit = PLUGINS_MAX
    const [configs, plugins] = await Promise.all([
      listPluginConfigs(client, { project_id: project, limit }, { signal }),
      listPlugins(client, { organization_id: organization, limit }, { signal }),
    ])
    return { configs: configs.results, plugins: plugins.results }
  })
  const move = (configs: readonly PluginConfig[], from: number, to: number) =>
    run(async () => {
      await rearrange(project, configs, from, to)
      loaded.reload()
    })
  const change = ({ id }: PluginConfig, enabled: boolean) =>
    run(async () => {
      const changed = { project_id: project, id, enabled, ...(enabled ? { error: null } : {}) }
      await updatePluginConfig(client, changed)
      loaded.reload()
    })
  const add = (
    <Button tone="main" icon="plus" onClick={() => setAdding(true)}>
      {TEXTS.add}
    </Button>
  )
  return (
    <>
      <PageHead title={TEXTS.title} note={TEXTS.note}>
        {(loaded.data?.configs.length ?? 0) > 0 && add}
      </PageHead>
      <Loaded
        of={loaded}
        skeleton={<TableSkeleton rows={5} height={72} />}
        isEmpty={({ configs }) => configs.length === 0}
        empty={
          <Empty title={TEXTS.emptyTitle} action={add}>
            {TEXTS.empty}
          </Empty>
        }
      >
        {({ configs, plugins }) => (
          <Pipeline
            configs={configs}
            plugins={plugins}
            busy={busy}
            onMove={move}
            onChange={change}
          />
        )}
      </Loaded>
      {isAdding && loaded.data !== undefined && (
        <AddPlugin {...loaded.data} onClose={() => setAdding(false)} />
      )}
    </>
  )
}

/** Moves the config from index `from` to `to` and renumbers all without gaps. */
async function rearrange(
  project: number,
  configs: readonly PluginConfig[],
  from: number,
  to: number,
): Promise<void> {
  const next = [...configs]
  const [step] = next.splice(from, 1)
  if (step !== undefined) next.splice(to, 0, step)
  const placed = next.map((config, at) => ({ ...config, place: at + 1 }))
  const orders = Object.fromEntries(placed.map(({ plugin, place }) => [String(plugin), place]))
  await rearrangePluginConfigs(client, { project_id: project, orders })
  // That call ignores disabled configs.
  const others = placed.filter(({ enabled, order, place }) => !enabled && order !== place)
  for (const { id, place: order } of others) {
    await updatePluginConfig(client, { project_id: project, id, order })
  }
}

type PipelineProps = Loadedness & {
  readonly busy: boolean
  readonly onMove: (configs: readonly PluginConfig[], from: number, to: number) => void
  readonly onChange: (config: PluginConfig, enabled: boolean) => void
}

function Pipeline({ configs, plugins, busy, onMove, onChange }: PipelineProps) {
  const inOrder = [...configs].sort((one, other) => one.order - other.order || one.id - other.id)
  const byId = new Map(plugins.map((plugin) => [plugin.id, plugin]))
  return (
    <div class="plugins-flow">
      <p class="plugins-end">{TEXTS.start}</p>
      <ol aria-label={TEXTS.pipeline}>
        {inOrder.map((config, at) => (
          <PipelineStep
            key={config.id}
            config={config}
            at={at}
            busy={busy}
            of={byId.get(config.plugin)}
            count={inOrder.length}
            onMove={(to) => onMove(inOrder, at, to)}
            onChange={(enabled) => onChange(config, enabled)}
          />
        ))}
      </ol>
      <p class="plugins-end">{TEXTS.end}</p>
    </div>
  )
}
