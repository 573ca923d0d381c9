import { useState } from 'preact/hooks'
import {
  type ChangeFeatureFlagsInput,
  changeFeatureFlags,
  type FeatureFlag,
} from '../../../client/index.ts'
import { client } from '../../data/client.ts'
import { failureOf } from '../../data/failure.ts'
import { formatNumber } from '../../data/format.ts'
import { Button } from '../../kit/button.tsx'
import { Dialog } from '../../kit/dialog.tsx'
import { Confirm } from '../../kit/dialogs/asks.ts'
import { Field } from '../../kit/field.tsx'
import { toast } from '../../kit/toasts.tsx'
import { FLAGS_TEXTS as TEXTS } from './texts.ts'

type BulkBarProps = {
  readonly project: number
  readonly chosen: readonly FeatureFlag[]
  readonly onAll: () => void
  readonly onDone: () => void
}

type Change = Omit<ChangeFeatureFlagsInput, 'project_id' | 'ids'>

/** Changes all chosen flags in one transaction. */
export function BulkBar({ project, chosen, onAll, onDone }: BulkBarProps) {
  const [open, setOpen] = useState<'tag' | 'remove'>()
  if (chosen.length === 0) return null
  const change = async (how: Change) => {
    setOpen(undefined)
    try {
      const ids = chosen.map(({ id }) => id)
      const { changed } = await changeFeatureFlags(client, { project_id: project, ids, ...how })
      toast(`${formatNumber(changed.length)} changed`)
      onDone()
    } catch (error) {
      toast(failureOf(error).detail, { tone: 'bad' })
    }
  }
  return (
    <section class="flags-bulk" aria-label={TEXTS.chosen}>
      <strong class="figure">{formatNumber(chosen.length)} selected</strong>
      <Button onClick={() => void change({ active: true })}>{TEXTS.on}</Button>
      <Button onClick={() => void change({ active: false })}>{TEXTS.off}</Button>
      <Button onClick={() => setOpen('tag')}>{TEXTS.tag}</Button>
      <Button tone="danger" onClick={() => setOpen('remove')}>
        {TEXTS.remove}
      </Button>
      <Button tone="quiet" onClick={onAll}>
        {TEXTS.all}
      </Button>
      {open === 'tag' && (
        <Dialog title={TEXTS.tag} onClose={() => setOpen(undefined)}>
          <form
            class="flags-form"
            onSubmit={(event) => {
              event.preventDefault()
              const tag = String(new FormData(event.currentTarget).get('tag') ?? '')
              void change({ add_tags: [tag] })
            }}
          >
            <Field label={TEXTS.tags} name="tag" required />
            <Button tone="main" type="submit">
              {TEXTS.tag}
            </Button>
          </form>
        </Dialog>
      )}
      {open === 'remove' && (
        <Confirm
          title={TEXTS.removeTitle(chosen.length)}
          action={TEXTS.remove}
          onConfirm={() => void change({ deleted: true })}
          onClose={() => setOpen(undefined)}
        >
          <p>{TEXTS.removeText}</p>
          <p>{chosen.map(({ key }) => key).join(', ')}</p>
        </Confirm>
      )}
    </section>
  )
}
