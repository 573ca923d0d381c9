import { useState } from 'preact/hooks'
import { createSharedLink, type SharedLink, updateSharedLink } from '../../../client/index.ts'
import { client } from '../../data/client.ts'
import { useProject } from '../../data/projects.ts'
import { Button } from '../button.tsx'
import { copyText } from '../copy-as.tsx'
import { Field } from '../field.tsx'
import { useAction } from '../use-action.ts'
import type { Shared } from './subject.ts'
import { SHARE_TEXTS as TEXTS } from './texts.ts'

type LinkFormProps = {
  readonly of: Shared
  /** Undefined for a new one. */
  readonly link: SharedLink | undefined
  readonly onDone: () => void
}

/** Form of a link; shows its address afterwards. */
export function LinkForm({ of, link, onDone }: LinkFormProps) {
  const { id: project } = useProject()
  const { busy, failure, run } = useAction(true)
  const [token, setToken] = useState<string>()
  const [isOpen, setOpen] = useState(false)
  if (token !== undefined) return <Made token={token} onDone={onDone} />
  const save = async (form: FormData) => {
    const text = (name: string) => String(form.get(name) ?? '').trim()
    const password = String(form.get('password') ?? '')
    const fields = {
      project_id: project,
      title: text('title'),
      expires_at: momentOf(text('end')),
      ...(isOpen ? { password: null } : password === '' ? {} : { password }),
    }
    if (link !== undefined) {
      await updateSharedLink(client, { ...fields, id: link.id })
      onDone()
      return
    }
    const { access_token: made } = await createSharedLink(client, { ...fields, ...of })
    if (made === null) onDone()
    else setToken(made)
  }
  const problemOf = (attr: string) => (failure?.attr === attr ? failure.detail : undefined)
  const isElsewhere =
    failure !== undefined && !/^(?:title|password|expires_at)$/.test(failure.attr ?? '')
  return (
    <form
      class="form"
      onSubmit={(event) => {
        event.preventDefault()
        const form = new FormData(event.currentTarget)
        run(() => save(form))
      }}
    >
      <Field
        label={TEXTS.name}
        hint={TEXTS.nameHint}
        name="title"
        maxLength={255}
        autocomplete="off"
        defaultValue={link?.title ?? ''}
        problem={problemOf('title')}
      />
      <Field
        label={TEXTS.password}
        hint={link?.has_password ? TEXTS.passwordKept : TEXTS.passwordNew}
        name="password"
        type="password"
        minLength={8}
        maxLength={128}
        autocomplete="new-password"
        disabled={isOpen}
        problem={problemOf('password')}
      />
      {link?.has_password && (
        <label>
          <input
            type="checkbox"
            checked={isOpen}
            onChange={(event) => setOpen(event.currentTarget.checked)}
          />{' '}
          {TEXTS.noPassword}
        </label>
      )}
      <Field
        label={TEXTS.end}
        hint={TEXTS.endHint}
        name="end"
        type="date"
        defaultValue={dayOf(link?.expires_at ?? null)}
        problem={problemOf('expires_at')}
      />
      {isElsewhere && (
        <p class="field-problem" role="alert">
          {failure.detail}
        </p>
      )}
      <Button tone="main" type="submit" busy={busy}>
        {link === undefined ? TEXTS.create : TEXTS.save}
      </Button>
    </form>
  )
}

/** End of a day on the clock of the browser; null for none. */
function momentOf(day: string): string | null {
  return day === '' ? null : new Date(`${day}T23:59:59`).toISOString()
}

function dayOf(moment: string | null): string {
  if (moment === null) return ''
  const at = new Date(moment)
  const two = (value: number) => String(value).padStart(2, '0')
  return `${at.getFullYear()}-${two(at.getMonth() + 1)}-${two(at.getDate())}`
}

/** Address and embed code of a new link, once. */
function Made({ token, onDone }: { readonly token: string; readonly onDone: () => void }) {
  const address = `${location.origin}/shared/${token}`
  const frame = `<iframe src="${location.origin}/embedded/${token}" width="100%" height="600" style="border:0" loading="lazy"></iframe>`
  return (
    <div class="form">
      <h3>{TEXTS.made}</h3>
      <p>{TEXTS.madeText}</p>
      <Copied what={TEXTS.link} value={address} />
      <Copied what={TEXTS.embed} value={frame} hint={TEXTS.embedHint} />
      <Button onClick={onDone}>{TEXTS.done}</Button>
    </div>
  )
}

type CopiedProps = { readonly what: string; readonly value: string; readonly hint?: string }

function Copied({ what, value, hint }: CopiedProps) {
  return (
    <>
      <Field
        label={what}
        hint={hint}
        readOnly
        value={value}
        onFocus={(event) => event.currentTarget.select()}
      />
      <p>
        <Button icon="copy" onClick={() => void copyText(value, what)}>
          {TEXTS.copy(what)}
        </Button>
      </p>
    </>
  )
}
