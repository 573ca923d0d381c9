import '../../questions/result.css'
import '../dashboard/dashboard.css'
import '../web/web.css'
import './shared.css'
import { useEffect, useState } from 'preact/hooks'
import { failureOf } from '../../data/failure.ts'
import { useResource } from '../../data/resource.ts'
import { Button } from '../../kit/button.tsx'
import { Field } from '../../kit/field.tsx'
import { later } from '../../kit/later.tsx'
import { Loaded } from '../../kit/loaded.tsx'
import { Skeleton } from '../../kit/skeleton.tsx'
import type { PageProps } from '../page-props.ts'
import { openPage, type SharedLinkPage } from './shared-data.ts'
import { SHARED_TEXTS as TEXTS } from './texts.ts'

const SharedTiles = later(async () => (await import('./shared-tiles.tsx')).SharedTiles)
const SharedWeb = later(async () => (await import('./shared-web.tsx')).SharedWeb)

/** The page of a link, without the shell; `embedded` without a head. */
export default function SharedPage({ params: { kind, token = '' } }: PageProps) {
  const [password, setPassword] = useState<string>()
  const page = useResource(`shared ${token} ${password}`, (signal) =>
    openPage({ token, password }, signal),
  )
  const failure = page.error === undefined ? undefined : failureOf(page.error)
  const isLocked = failure?.code === 'password_required' || failure?.code === 'invalid_password'
  useEffect(() => {
    if (page.data !== undefined) document.title = page.data.title
  }, [page.data])
  return (
    <main class={`shared shared-${kind}`}>
      {isLocked && (
        <PasswordForm
          problem={failure.code === 'invalid_password' ? failure.detail : undefined}
          onOpen={setPassword}
        />
      )}
      {failure?.kind === 'missing' && (
        <div class="empty">
          <h1>{TEXTS.gone}</h1>
          <p>{TEXTS.goneText}</p>
        </div>
      )}
      {!isLocked && failure?.kind !== 'missing' && (
        <Loaded of={page} skeleton={<Skeleton height={480} />}>
          {(shown) => <Shown token={token} page={shown} onLost={page.reload} />}
        </Loaded>
      )}
    </main>
  )
}

type ShownProps = {
  readonly token: string
  readonly page: SharedLinkPage
  /** Called when the link, or its password, has ended meanwhile. */
  readonly onLost: () => void
}

function Shown({ token, page, onLost }: ShownProps) {
  const { title, description, kind, pass } = page
  const parts = { entry: { token, pass }, page, onLost }
  return (
    <>
      <header class="shared-head">
        <h1>{title}</h1>
        {description !== '' && <p>{description}</p>}
      </header>
      {kind === 'web' ? <SharedWeb {...parts} /> : <SharedTiles {...parts} />}
    </>
  )
}

/** The first field of a form that is there anew, since a refused password was asked for. */
function focusFirst(form: HTMLFormElement | null): void {
  form?.querySelector('input')?.focus()
}

type PasswordFormProps = {
  readonly problem: string | undefined
  readonly onOpen: (password: string) => void
}

function PasswordForm({ problem, onOpen }: PasswordFormProps) {
  return (
    <form
      ref={problem === undefined ? null : focusFirst}
      class="form shared-password"
      onSubmit={(event) => {
        event.preventDefault()
        onOpen(String(new FormData(event.currentTarget).get('password') ?? ''))
      }}
    >
      <h1>{TEXTS.locked}</h1>
      <Field
        label={TEXTS.password}
        name="password"
        type="password"
        required
        autofocus
        autocomplete="off"
        problem={problem}
      />
      <Button tone="main" type="submit">
        {TEXTS.open}
      </Button>
    </form>
  )
}
