/** Loads the code and the style of a page, and shows it. */
import { Component, type ComponentChildren } from 'preact'
import { parsedJson } from '../data/json.ts'
import { useResource } from '../data/resource.ts'
import { CodeFailure } from '../kit/failure.tsx'
import { Skeleton } from '../kit/skeleton.tsx'
import type { PageProps } from '../pages/page-props.ts'
import type { PageRoute } from './routes.ts'

type PageViewProps = PageProps & { readonly route: PageRoute; readonly address: string }

/** @param address a different one is a different page, with new state. */
export function PageView({ route, params, address }: PageViewProps) {
  const code = useResource(`code ${route.folder}`, async () => {
    const [{ default: Page }] = await Promise.all([route.load(), loadStyles(route.folder)])
    return Page
  })
  const { data: Page, isEarlier, error } = code
  if (error !== undefined) return <CodeFailure {...code} />
  if (Page === undefined || isEarlier) {
    return (
      <div class="waiting" aria-busy="true">
        <Skeleton height={36} width="12rem" />
      </div>
    )
  }
  return (
    <Fence key={address}>
      <Page params={params} />
    </Fence>
  )
}

const loaded = new Map<string, Promise<void>>()

/** Loads the styles before the page. Their nonce is that of the scripts. */
function loadStyles(folder: string): Promise<void> {
  const known = loaded.get(folder)
  if (known !== undefined) return known
  const made = Promise.all(stylesOf(folder).map(loadStyle)).then(() => undefined)
  loaded.set(folder, made)
  made.catch(() => loaded.delete(folder))
  return made
}

function stylesOf(folder: string): readonly string[] {
  const all = parsedJson(document.getElementById('styles')?.textContent ?? '')
  // The build has written them into the page.
  return (all as Readonly<Record<string, readonly string[]>> | undefined)?.[folder] ?? []
}

function loadStyle(name: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const link = document.createElement('link')
    link.rel = 'stylesheet'
    link.nonce = document.querySelector<HTMLElement>('script[nonce]')?.nonce ?? ''
    link.href = `/assets/${name}`
    link.onload = () => resolve()
    link.onerror = () => {
      link.remove()
      // As `fetch` and `import` fail.
      reject(new TypeError(`no style ${name}`))
    }
    document.head.append(link)
  })
}

type FenceState = { readonly failed: boolean }

/** Error boundary: a defect of one page leaves the shell in place. */
class Fence extends Component<{ readonly children: ComponentChildren }, FenceState> {
  override state: FenceState = { failed: false }

  static override getDerivedStateFromError(): FenceState {
    return { failed: true }
  }

  override componentDidCatch(error: unknown): void {
    console.error(error)
  }

  override render() {
    return this.state.failed ? <CodeFailure /> : this.props.children
  }
}
