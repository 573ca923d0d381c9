import { useState } from 'preact/hooks'
import { createInvite, type Invite } from '../../../client/index.ts'
import { client } from '../../data/client.ts'
import { useProject } from '../../data/projects.ts'
import { Button } from '../../kit/button.tsx'
import { Dialog } from '../../kit/dialog.tsx'
import { Field, TextArea } from '../../kit/field.tsx'
import { useAction } from '../../kit/use-action.ts'
import { ADMINISTRATOR } from './levels.ts'
import { ShownOnce } from './shown-once.tsx'
import { SETTINGS_TEXTS as TEXTS } from './texts.ts'

/** Button that invites a user, with its form and the link that the form makes. */
export function InviteUser({ onMade }: { readonly onMade?: () => void }) {
  const [asked, setAsked] = useState<'form' | Invite>()
  const close = () => setAsked(undefined)
  return (
    <>
      <Button tone="main" icon="plus" onClick={() => setAsked('form')}>
        {TEXTS.invite}
      </Button>
      {asked === 'form' && (
        <InviteForm
          onClose={close}
          onMade={(made) => {
            setAsked(made.token === undefined ? undefined : made)
            onMade?.()
          }}
        />
      )}
      {typeof asked === 'object' && (
        <ShownOnce
          title={TEXTS.inviteMade}
          what={TEXTS.link}
          note={TEXTS.inviteMadeText}
          // As in the mail.
          value={`${location.origin}/signup/${asked.token}`}
          onClose={close}
        />
      )}
    </>
  )
}

type InviteFormProps = {
  readonly onClose: () => void
  readonly onMade: (invite: Invite) => void
}

function InviteForm({ onClose, onMade }: InviteFormProps) {
  const { organization, effective_membership_level: level } = useProject()
  const { busy, failure, run } = useAction(true)
  const send = (form: FormData) =>
    run(async () => {
      const text = (name: string) => String(form.get(name) ?? '').trim()
      const first_name = text('first_name')
      const message = text('message')
      onMade(
        await createInvite(client, {
          parent_lookup_organization_id: organization,
          target_email: text('email'),
          ...(first_name === '' ? {} : { first_name }),
          ...(message === '' ? {} : { message }),
        }),
      )
    })
  return (
    <Dialog title={TEXTS.invite} onClose={onClose}>
      <form
        class="form"
        onSubmit={(event) => {
          event.preventDefault()
          send(new FormData(event.currentTarget))
        }}
      >
        <Field
          label={TEXTS.email}
          name="email"
          type="email"
          required
          autocomplete="off"
          autofocus
          problem={failure?.detail}
        />
        <Field label={TEXTS.firstName} name="first_name" maxLength={30} />
        {(level ?? 0) >= ADMINISTRATOR && (
          <TextArea label={TEXTS.message} name="message" maxLength={5000} />
        )}
        <Button tone="main" type="submit" busy={busy}>
          {TEXTS.makeInvite}
        </Button>
      </form>
    </Dialog>
  )
}
