import { navigate } from 'wouter-preact/use-browser-location'
import {
  createPlugin,
  createPluginConfig,
  type Plugin,
  type PluginConfig,
} from '../../../client/index.ts'
import { client } from '../../data/client.ts'
import { useProject } from '../../data/projects.ts'
import { Button } from '../../kit/button.tsx'
import { Drawer } from '../../kit/dialog.tsx'
import { Field } from '../../kit/field.tsx'
import { useAction } from '../../kit/use-action.ts'
import { NEW_SOURCE, PLUGINS_TEXTS as TEXTS } from './texts.ts'

type AddPluginProps = {
  readonly configs: readonly PluginConfig[]
  readonly plugins: readonly Plugin[]
  readonly onClose: () => void
}

/** Adds a plugin to the end of the pipeline, switched off, and opens its settings. */
export function AddPlugin({ configs, plugins, onClose }: AddPluginProps) {
  const { id: project, organization } = useProject()
  const { busy, failure, run } = useAction(true)
  const used = new Set(configs.map(({ plugin }) => plugin))
  const order = Math.max(0, ...configs.map((config) => config.order)) + 1
  const setUp = async (plugin: number, tab: string) => {
    const { id } = await createPluginConfig(client, { project_id: project, plugin, order })
    navigate(`/project/${project}/plugins/${id}${tab}`)
  }
  const write = (name: string) =>
    run(async () => {
      const files = { 'index.ts': NEW_SOURCE }
      const made = await createPlugin(client, { organization_id: organization, name, files })
      await setUp(made.id, '?tab=source')
    })
  const others = plugins.filter(({ id }) => !used.has(id))
  return (
    <Drawer title={TEXTS.add} onClose={onClose}>
      {failure !== undefined && (
        <p class="field-problem" role="alert">
          {failure.detail}
        </p>
      )}
      {others.length === 0 && <p>{TEXTS.all}</p>}
      <ul class="plugins-choice" aria-label={TEXTS.choose}>
        {others.map(({ id, name, description }) => (
          <li key={id}>
            <div>
              <strong>{name}</strong>
              {description !== null && <p>{description}</p>}
            </div>
            <Button
              busy={busy}
              aria-label={`${TEXTS.set}: ${name}`}
              onClick={() => run(() => setUp(id, ''))}
            >
              {TEXTS.set}
            </Button>
          </li>
        ))}
      </ul>
      <form
        class="form"
        aria-label={TEXTS.own}
        onSubmit={(event) => {
          event.preventDefault()
          write(String(new FormData(event.currentTarget).get('name') ?? ''))
        }}
      >
        <h3>{TEXTS.own}</h3>
        <Field label={TEXTS.name} name="name" required hint={TEXTS.ownText} maxLength={200} />
        <Button type="submit" busy={busy}>
          {TEXTS.create}
        </Button>
      </form>
    </Drawer>
  )
}
