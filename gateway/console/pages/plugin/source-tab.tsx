import { useState } from 'preact/hooks'
import {
  getPluginSource,
  type JsonObject,
  type Plugin,
  updatePluginSource,
} from '../../../client/index.ts'
import { client } from '../../data/client.ts'
import { useProject } from '../../data/projects.ts'
import { useResource } from '../../data/resource.ts'
import { Button } from '../../kit/button.tsx'
import { TextArea } from '../../kit/field.tsx'
import { Loaded } from '../../kit/loaded.tsx'
import { TableSkeleton } from '../../kit/skeleton.tsx'
import { toast } from '../../kit/toasts.tsx'
import { useAction } from '../../kit/use-action.ts'
import { PLUGIN_TEXTS as TEXTS } from './texts.ts'

type SourceTabProps = {
  readonly plugin: Plugin
  /** Called after a save. The config keeps its version until the newer one is adopted. */
  readonly onSaved: () => void
}

/** The files of the plugin, to read, and for its organization to change. */
export function SourceTab({ plugin, onSaved }: SourceTabProps) {
  if (plugin.plugin_type === 'local') return <p class="plugin-note">{TEXTS.local}</p>
  return <Files plugin={plugin} onSaved={onSaved} />
}

function Files({ plugin, onSaved }: SourceTabProps) {
  const { organization } = useProject()
  const place = { organization_id: organization, id: plugin.id }
  const source = useResource(`plugin-source ${plugin.id}`, (signal) =>
    getPluginSource(client, place, { signal }),
  )
  const isOwn = plugin.organization_id === organization && plugin.plugin_type === 'source'
  const saved = (files: JsonObject) => {
    source.set(files)
    onSaved()
  }
  return (
    <Loaded of={source} skeleton={<TableSkeleton rows={8} height={40} />}>
      {(files) =>
        isOwn ? (
          <SourceForm files={files} plugin={plugin} onSaved={saved} />
        ) : (
          <div class="plugin-stack">
            <p class="plugin-note">{TEXTS.foreign}</p>
            {Object.entries(files).map(([name, text]) => (
              <figure key={name} class="plugin-file">
                <figcaption>{name}</figcaption>
                {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls takes the focus */}
                <pre tabIndex={0}>{String(text)}</pre>
              </figure>
            ))}
          </div>
        )
      }
    </Loaded>
  )
}

type SourceFormProps = {
  readonly files: JsonObject
  readonly plugin: Plugin
  readonly onSaved: (files: JsonObject) => void
}

function SourceForm({ files, plugin, onSaved }: SourceFormProps) {
  const { organization } = useProject()
  const [typed, setTyped] = useState<JsonObject>({})
  const { busy, failure, run } = useAction(true)
  const changed = Object.fromEntries(
    Object.entries(typed).filter(([name, text]) => text !== files[name]),
  )
  const save = () =>
    run(async () => {
      const place = { organization_id: organization, id: plugin.id }
      onSaved(await updatePluginSource(client, { ...place, files: changed }))
      setTyped({})
      toast(TEXTS.sourceSaved)
    })
  return (
    <form
      class="plugin-stack"
      onSubmit={(event) => {
        event.preventDefault()
        save()
      }}
    >
      {Object.entries(files).map(([name, text]) => (
        <TextArea
          key={name}
          label={name}
          name={name}
          spellcheck={false}
          rows={Math.min(24, linesOf(text) + 2)}
          value={String(typed[name] ?? text)}
          onInput={(event) => setTyped({ ...typed, [name]: event.currentTarget.value })}
        />
      ))}
      {failure !== undefined && (
        <pre class="field-problem plugin-refusal" role="alert">
          {failure.detail}
        </pre>
      )}
      <div>
        <Button tone="main" type="submit" busy={busy} disabled={Object.keys(changed).length === 0}>
          {TEXTS.saveSource}
        </Button>
      </div>
    </form>
  )
}

function linesOf(text: unknown): number {
  return String(text).split('\n').length
}
