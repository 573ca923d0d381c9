import { useState } from 'preact/hooks'
import {
  createDashboard,
  type DashboardSummary,
  getDashboard,
  listDashboards,
  type SavedInsight,
  updateDashboard,
} from '../../../client/index.ts'
import { client } from '../../data/client.ts'
import { useResource } from '../../data/resource.ts'
import { Button } from '../../kit/button.tsx'
import { Dialog } from '../../kit/dialog.tsx'
import { Field, Select } from '../../kit/field.tsx'
import { Loaded } from '../../kit/loaded.tsx'
import { TableSkeleton } from '../../kit/skeleton.tsx'
import { toast } from '../../kit/toasts.tsx'
import { useAction } from '../../kit/use-action.ts'
import { insightTile, sentTiles } from '../../questions/tiles.ts'
import { DIALOG_TEXTS as TEXTS } from './dialog-texts.ts'

type AddToDashboardProps = {
  readonly project: number
  readonly insight: SavedInsight
  readonly onClose: () => void
}

const DASHBOARDS_MAX = 200
/** Value for a new dashboard, in place of an id. */
const NEW = 'new'

/** Adds an insight to the end of a dashboard, or to a new one. */
export function AddToDashboard({ project, insight, onClose }: AddToDashboardProps) {
  const dashboards = useResource(`dashboards ${project}`, (signal) =>
    listDashboards(client, { project_id: project, limit: DASHBOARDS_MAX }, { signal }),
  )
  const add = async (choice: string, name: string) => {
    const tile = insightTile(insight.short_id)
    let shown = choice
    if (choice === NEW) {
      const made = { project_id: project, name, tiles: sentTiles([tile]) }
      shown = String((await createDashboard(client, made)).id)
    } else {
      const one = { project_id: project, id: choice }
      const { tiles } = await getDashboard(client, one)
      await updateDashboard(client, { ...one, tiles: sentTiles([...tiles, tile]) })
    }
    onClose()
    toast(TEXTS.added, {
      link: { href: `/project/${project}/dashboard/${shown}`, text: TEXTS.show },
    })
  }
  return (
    <Dialog title={TEXTS.toDashboardTitle} onClose={onClose}>
      <Loaded of={dashboards} skeleton={<TableSkeleton rows={2} />}>
        {({ results }) => <Choice dashboards={results} onAdd={add} />}
      </Loaded>
    </Dialog>
  )
}

type ChoiceProps = {
  readonly dashboards: readonly DashboardSummary[]
  readonly onAdd: (choice: string, name: string) => Promise<void>
}

function Choice({ dashboards, onAdd }: ChoiceProps) {
  const [choice, setChoice] = useState(String(dashboards[0]?.id ?? NEW))
  const { busy, failure, run } = useAction(true)
  const options = [
    ...dashboards.map(({ id, name }) => ({ value: String(id), label: name || String(id) })),
    { value: NEW, label: TEXTS.newDashboard },
  ]
  return (
    <form
      class="form"
      onSubmit={(event) => {
        event.preventDefault()
        const name = String(new FormData(event.currentTarget).get('name') ?? '').trim()
        run(() => onAdd(choice, name))
      }}
    >
      <Select
        label={TEXTS.dashboard}
        options={options}
        value={choice}
        problem={failure?.detail}
        onChange={({ currentTarget: { value } }) => setChoice(value)}
      />
      {choice === NEW && <Field label={TEXTS.name} name="name" required autocomplete="off" />}
      <Button tone="main" type="submit" busy={busy}>
        {TEXTS.add}
      </Button>
    </form>
  )
}
