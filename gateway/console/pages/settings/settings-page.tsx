import type { FunctionComponent } from 'preact'
import { useProject } from '../../data/projects.ts'
import { PageHead } from '../../kit/page-head.tsx'
import { Tabs } from '../../kit/tabs.tsx'
import { NotFound } from '../not-found.tsx'
import type { PageProps } from '../page-props.ts'
import { AccountTab } from './account-tab.tsx'
import { AuditTab } from './audit-tab.tsx'
import { InvitesTab } from './invites-tab.tsx'
import { KeysTab } from './keys-tab.tsx'
import { MembersTab } from './members-tab.tsx'
import { ProjectTab } from './project-tab.tsx'
import '../../styles/diff.css'
import './settings.css'
import { TABS, SETTINGS_TEXTS as TEXTS } from './texts.ts'

const PARTS: Readonly<Record<(typeof TABS)[number]['id'], FunctionComponent>> = {
  project: ProjectTab,
  keys: KeysTab,
  members: MembersTab,
  invites: InvitesTab,
  audit: AuditTab,
  account: AccountTab,
}

export default function SettingsPage({ params }: PageProps) {
  const { id: project } = useProject()
  const wanted = params['tab'] ?? 'project'
  const tab = TABS.find(({ id }) => id === wanted)
  if (tab === undefined) return <NotFound what="page" />
  const Part = PARTS[tab.id]
  const tabs = TABS.map(({ id, name }) => ({
    id,
    name,
    href: `/project/${project}/settings/${id}`,
  }))
  return (
    <>
      <PageHead title={TEXTS.title} />
      <Tabs label={TEXTS.parts} tabs={tabs} chosen={tab.id} />
      <Part />
    </>
  )
}
