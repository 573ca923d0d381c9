import {
  getProject,
  listEventDefinitions,
  listProjects,
  type Page,
  type ProjectSummary,
  pages,
} from '../../client/index.ts'
import { client } from './client.ts'
import { keep, kept } from './kept.ts'
import { sessionState } from './session.ts'
import { shared } from './shared.ts'

/** Projects that the user may see; undefined until they are known. */
export const projects = shared<readonly ProjectSummary[] | undefined>(undefined)

/** The id in the address; the one before outside of projects. */
let projectId: number | undefined

/** Sets the project of the page on screen, which is drawn with it. */
export function openProject(id: number | undefined): ProjectSummary | undefined {
  projectId = id ?? projectId ?? homeProject()
  return currentProject()
}

export function currentProject(): ProjectSummary | undefined {
  return projects.value?.find(({ id }) => id === projectId)
}

const PAGE = 200

export async function loadProjects(): Promise<void> {
  const found: ProjectSummary[] = []
  const first: Promise<Page<ProjectSummary>> = listProjects(client, { limit: PAGE })
  for await (const { results } of pages(client, first)) found.push(...results)
  projects.value = found
}

/** The project of the page on screen. Pages are shown only once it is known. */
export function useProject(): ProjectSummary {
  const project = currentProject()
  if (project === undefined) throw new Error('this page belongs to no project')
  return project
}

export function rememberProject(id: number): void {
  keep('project', String(id))
}

/** Where `/` leads: the last project, the user's own, or the first; undefined where there is none. */
export function homeProject(): number | undefined {
  const all = projects.value ?? []
  const state = sessionState.value
  const wanted = [Number(kept('project')), 'session' in state ? state.session.project_id : null]
  return (
    all.find(({ id }) => wanted[0] === id) ??
    all.find(({ id }) => wanted[1] === id) ??
    all[0]
  )?.id
}

const PAGE_VIEW = '$pageview'

/** Home of a project: its home dashboard, web analytics once it has page views, or the overview. */
export async function homeAddress(id: number, signal: AbortSignal): Promise<string> {
  const overview = `/project/${id}`
  try {
    const asked = { project_id: id, search: PAGE_VIEW, limit: PAGE }
    const [{ primary_dashboard: dashboard }, { results }] = await Promise.all([
      getProject(client, { id }, { signal }),
      listEventDefinitions(client, asked, { signal }),
    ])
    if (dashboard !== null) return `${overview}/dashboard/${dashboard}`
    return results.some(({ name }) => name === PAGE_VIEW) ? `${overview}/web` : overview
  } catch {
    // The overview says what is wrong.
    return overview
  }
}
