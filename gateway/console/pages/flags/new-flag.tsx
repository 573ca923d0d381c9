import { useState } from 'preact/hooks'
import { navigate } from 'wouter-preact/use-browser-location'
import { createFeatureFlag } from '../../../client/index.ts'
import { client } from '../../data/client.ts'
import { type Failure, failureOf } from '../../data/failure.ts'
import { Button } from '../../kit/button.tsx'
import { Dialog } from '../../kit/dialog.tsx'
import { Field } from '../../kit/field.tsx'
import { FLAGS_TEXTS as TEXTS } from './texts.ts'

type NewFlagProps = { readonly project: number; readonly onClose: () => void }

/** Filters of a new flag: on for nobody, so that creating it changes nothing. */
const FOR_NOBODY = { groups: [{ properties: [], rollout_percentage: 0 }] }

export function NewFlag({ project, onClose }: NewFlagProps) {
  const [failure, setFailure] = useState<Failure>()
  const [busy, setBusy] = useState(false)
  const make = async (key: string) => {
    setBusy(true)
    try {
      const { id } = await createFeatureFlag(client, {
        project_id: project,
        key,
        filters: FOR_NOBODY,
      })
      navigate(`/project/${project}/feature_flags/${id}`)
    } catch (error) {
      setFailure(failureOf(error))
      setBusy(false)
    }
  }
  return (
    <Dialog title={TEXTS.make} onClose={onClose}>
      <form
        class="flags-form"
        onSubmit={(event) => {
          event.preventDefault()
          void make(String(new FormData(event.currentTarget).get('key') ?? ''))
        }}
      >
        <Field
          label={TEXTS.key}
          name="key"
          required
          autocomplete="off"
          hint={TEXTS.keyHint}
          problem={failure?.detail}
        />
        <Button tone="main" type="submit" busy={busy}>
          {TEXTS.create}
        </Button>
      </form>
    </Dialog>
  )
}
