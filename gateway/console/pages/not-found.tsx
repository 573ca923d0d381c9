import { projects } from '../data/projects.ts'
import { Button } from '../kit/button.tsx'
import { shownHelper } from './shown-helper.ts'

type NotFoundProps = {
  /** Kind of object that the address names: "page", "flag", "person". */
  readonly what: string
}

/** Page of an unknown address, with a search. */
export function NotFound({ what }: NotFoundProps) {
  if (projects.value?.length === 0) return <NoProject />
  return (
    <div class="empty">
      <h1 tabIndex={-1}>There is no such {what}</h1>
      <p>It was removed, belongs to another project, or the address is wrong.</p>
      {what === 'project' ? (
        <a class="button button-main" href="/">
          Open your project
        </a>
      ) : (
        <Button
          tone="main"
          icon="search"
          onClick={() => {
            shownHelper.value = 'palette'
          }}
        >
          Search
        </Button>
      )}
    </div>
  )
}

function NoProject() {
  return (
    <div class="empty">
      <h1 tabIndex={-1}>You have no project</h1>
      <p>Ask an administrator for access.</p>
    </div>
  )
}
