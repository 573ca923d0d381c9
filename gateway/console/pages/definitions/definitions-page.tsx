import { useProject } from '../../data/projects.ts'
import { PageHead } from '../../kit/page-head.tsx'
import { Tabs } from '../../kit/tabs.tsx'
import { NotFound } from '../not-found.tsx'
import type { PageProps } from '../page-props.ts'
import './definitions.css'
import { EventsTab } from './events-tab.tsx'
import { PropertiesTab } from './properties-tab.tsx'
import { TABS, DEFINITIONS_TEXTS as TEXTS } from './texts.ts'

const PARTS = { events: EventsTab, properties: PropertiesTab } as const

/** Definitions of the events and properties of a project. */
export default function DefinitionsPage({ params }: PageProps) {
  const { id: project } = useProject()
  const wanted = params['tab'] ?? 'events'
  const tab = TABS.find(({ id }) => id === wanted)
  if (tab === undefined) return <NotFound what="page" />
  const Part = PARTS[tab.id]
  const tabs = TABS.map(({ id, name }) => ({
    id,
    name,
    href: `/project/${project}/data-management/${id}`,
  }))
  return (
    <>
      <PageHead title={TEXTS.title} />
      <Tabs label={TEXTS.parts} tabs={tabs} chosen={tab.id} />
      <Part />
    </>
  )
}
