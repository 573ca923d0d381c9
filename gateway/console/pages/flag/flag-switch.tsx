import { useState } from 'preact/hooks'
import { type FeatureFlag, updateFeatureFlag } from '../../../client/index.ts'
import { client } from '../../data/client.ts'
import { failureOf } from '../../data/failure.ts'
import { Switch } from '../../kit/switch.tsx'
import { toast } from '../../kit/toasts.tsx'
import { type Propagated, propagationText } from './propagation.ts'

type FlagSwitchProps = {
  readonly project: number
  readonly flag: FeatureFlag
  readonly propagated: Propagated | undefined
  readonly onChanged: (flag: FeatureFlag) => void
}

/** Switch of the flag, and the propagation of its newest change. */
export function FlagSwitch({ project, flag, propagated, onChanged }: FlagSwitchProps) {
  const [busy, setBusy] = useState(false)
  const change = async (active: boolean) => {
    setBusy(true)
    try {
      const { id, version } = flag
      const changed = await updateFeatureFlag(client, { project_id: project, id, active, version })
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
        {propagationText(propagated) || (flag.active ? 'On' : 'Off')}
      </span>
      <Switch
        label={flag.key}
        checked={flag.active}
        busy={busy}
        onChange={(active) => void change(active)}
      />
    </span>
  )
}
