import { useState } from 'preact/hooks'
import { type FeatureFlag, updateFeatureFlag } from '../../../client/index.ts'
import { client } from '../../data/client.ts'
import { failureOf } from '../../data/failure.ts'
import { now } from '../../data/timers.ts'
import { Switch } from '../../kit/switch.tsx'
import { toast } from '../../kit/toasts.tsx'

type FlagSwitchProps = {
  readonly project: number
  readonly flag: FeatureFlag
  readonly onChanged: (flag: FeatureFlag) => void
}

/** Says how long the change took: with its answer it holds at the gateway that was asked. */
export function FlagSwitch({ project, flag, onChanged }: FlagSwitchProps) {
  const [busy, setBusy] = useState(false)
  const [tookMs, setTookMs] = useState<number>()
  const change = async (active: boolean) => {
    setBusy(true)
    setTookMs(undefined)
    const startedAt = now()
    try {
      const { id, version } = flag
      const changed = await updateFeatureFlag(client, { project_id: project, id, active, version })
      setTookMs(now() - startedAt)
      onChanged(changed)
    } catch (error) {
      toast(failureOf(error).detail, { tone: 'bad' })
    } finally {
      setBusy(false)
    }
  }
  return (
    <span class="flag-switch">
      <span role="status" class="flag-took figure">
        {tookMs === undefined ? (flag.active ? 'On' : 'Off') : `Holds here after ${tookMs} ms`}
      </span>
      <Switch
        {...{ label: flag.key, checked: flag.active, busy }}
        onChange={(active) => void change(active)}
      />
    </span>
  )
}
