import { useLocation } from 'wouter-preact'
import { projectId, projects } from '../data/projects.ts'
import { Button } from '../kit/button.tsx'
import { Field } from '../kit/field.tsx'

type NotFoundProps = {
  /** What the address should be: "page", "flag", "person". */
  readonly what: string
}

/** An address that leads nowhere says so, and offers a search. */
export function NotFound({ what }: NotFoundProps) {
  const [, navigate] = useLocation()
  if (projects.value?.length === 0) return <NoProject />
  const search = (event: SubmitEvent & { readonly currentTarget: HTMLFormElement }) => {
    event.preventDefault()
    const text = String(new FormData(event.currentTarget).get('search') ?? '').trim()
    const home = projectId.value
    if (home !== undefined) navigate(`/project/${home}/persons?search=${encodeURIComponent(text)}`)
  }
  return (
    <div class="empty">
      <h1 tabIndex={-1}>There is no such {what}</h1>
      <p>It was removed, belongs to another project, or the address is wrong.</p>
      <form class="not-found" onSubmit={search}>
        <Field label="Search for a person" name="search" type="search" required />
        <Button tone="main" type="submit">
          Search
        </Button>
      </form>
    </div>
  )
}

function NoProject() {
  return (
    <div class="empty">
      <h1 tabIndex={-1}>You are in no project</h1>
      <p>Ask an administrator of your organization for access to one.</p>
    </div>
  )
}
