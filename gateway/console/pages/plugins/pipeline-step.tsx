import type { Plugin, PluginConfig } from '../../../client/index.ts'
import { formatPercent } from '../../data/format.ts'
import { isRecord } from '../../data/json.ts'
import { useProject } from '../../data/projects.ts'
import { Button } from '../../kit/button.tsx'
import { Switch } from '../../kit/switch.tsx'
import { PLUGINS_TEXTS as TEXTS } from './texts.ts'

type StepProps = {
  readonly config: PluginConfig
  /** Undefined for one that the organization can no longer see. */
  readonly of: Plugin | undefined
  readonly at: number
  readonly count: number
  readonly busy: boolean
  readonly onMove: (to: number) => void
  readonly onChange: (enabled: boolean) => void
}

/** One plugin of the pipeline: its place, its switch and its health. */
export function PipelineStep({ config, of, at, count, busy, onMove, onChange }: StepProps) {
  const { id: project } = useProject()
  const name = of?.name ?? `${TEXTS.unknown} ${config.plugin}`
  return (
    <li class={`plugins-step${config.enabled ? '' : ' plugins-step-off'}`}>
      <span class="plugins-place figure">{at + 1}</span>
      <div class="plugins-what">
        <a class="plugins-name" href={`/project/${project}/plugins/${config.id}`}>
          {name}
        </a>
        {of?.description && <p>{of.description}</p>}
        <Fares config={config} />
      </div>
      <div class="plugins-moves">
        <Button
          tone="quiet"
          disabled={at === 0}
          busy={busy}
          aria-label={`${TEXTS.up}: ${name}`}
          onClick={() => onMove(at - 1)}
        >
          ↑
        </Button>
        <Button
          tone="quiet"
          disabled={at === count - 1}
          busy={busy}
          aria-label={`${TEXTS.down}: ${name}`}
          onClick={() => onMove(at + 1)}
        >
          ↓
        </Button>
      </div>
      <Switch label={name} checked={config.enabled} busy={busy} onChange={onChange} />
    </li>
  )
}

function Fares({ config }: { readonly config: PluginConfig }) {
  const { error, delivery_rate_24h: rate, plugin_update: update } = config
  return (
    <>
      {isRecord(error) && (
        <p class="plugins-error">
          {TEXTS.failed}: {String(error['message'] ?? '')}
        </p>
      )}
      {(rate !== null || update !== null) && (
        <p class="plugins-fares figure">
          {[
            rate !== null && `${formatPercent(Number(rate))} ${TEXTS.delivered}`,
            update !== null && TEXTS.update,
          ]
            .filter(Boolean)
            .join(' · ')}
        </p>
      )}
    </>
  )
}
