import {
  type Alert,
  type ListAlertChecksResponse,
  listAlertChecks,
} from '../../../../client/index.ts'
import { client } from '../../../data/client.ts'
import { usePaged } from '../../../data/paged.ts'
import { Button } from '../../../kit/button.tsx'
import { Empty } from '../../../kit/empty.tsx'
import { FailureNote } from '../../../kit/failure.tsx'
import { Loaded } from '../../../kit/loaded.tsx'
import { TableSkeleton } from '../../../kit/skeleton.tsx'
import { Table } from '../../../kit/table.tsx'
import { Time } from '../../../kit/time.tsx'
import { AlertState } from './state.tsx'
import { ALERT_TEXTS as TEXTS } from './texts.ts'

type AlertHistoryProps = { readonly project: number; readonly alert: Alert }

const PAGE = 50

/** Checks of an alert, newest first. */
export function AlertHistory({ project, alert }: AlertHistoryProps) {
  const checks = usePaged<ListAlertChecksResponse>(
    `alert-checks ${project} ${alert.id}`,
    async (before, signal) => {
      const page = { project_id: project, id: alert.id, limit: PAGE, offset: before.length * PAGE }
      return await listAlertChecks(client, page, { signal })
    },
  )
  const rows = checks.pages.flatMap(({ results }) => results)
  const hasMore = (checks.pages.at(-1)?.next ?? null) !== null
  return (
    <>
      <h3>{alert.name}</h3>
      <Loaded
        of={checks.first}
        skeleton={<TableSkeleton rows={6} />}
        isEmpty={({ results }) => results.length === 0}
        empty={<Empty title={TEXTS.noChecks}>{TEXTS.noChecksText}</Empty>}
      >
        {() => (
          <>
            <Table
              caption={TEXTS.checks}
              rows={rows}
              keyOf={({ due_at }) => due_at}
              columns={[
                {
                  key: 'at',
                  title: TEXTS.checkedAt,
                  cell: ({ created_at }) => <Time value={created_at} />,
                },
                {
                  key: 'state',
                  title: TEXTS.state,
                  cell: ({ state, targets_notified }) => (
                    <AlertState state={state} isTold={targets_notified} />
                  ),
                },
                {
                  key: 'value',
                  title: TEXTS.value,
                  align: 'end',
                  cell: ({ calculated_value }) => calculated_value ?? '–',
                },
                { key: 'detail', title: TEXTS.detail, cell: ({ detail }) => detail },
              ]}
            />
            {checks.error !== undefined && (
              <FailureNote error={checks.error} onRetry={checks.loadMore} />
            )}
            {hasMore && (
              <p>
                <Button busy={checks.isLoadingMore} onClick={checks.loadMore}>
                  {TEXTS.more}
                </Button>
              </p>
            )}
          </>
        )}
      </Loaded>
    </>
  )
}
