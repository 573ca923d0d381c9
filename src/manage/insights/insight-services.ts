/** Services for queries on events, for what projects keep of them, and for alerts. */
import { createAlertHandlers } from '../alerts/alerts-handlers.ts'
import { createAnnotationHandlers } from '../saved/annotations-handlers.ts'
import { createDashboardHandlers } from '../saved/dashboards-handlers.ts'
import { createExportHandlers } from '../saved/export-handlers.ts'
import {
  createSavedInsightHandlers,
  type SavedInsightHandlersDeps,
} from '../saved/saved-insights-handlers.ts'
import { createSubscriptionHandlers } from '../subscriptions/subscriptions-handlers.ts'
import { createInsightHandlers, type InsightHandlersDeps } from './insights-handlers.ts'
import { createOlderInsightHandlers } from './older-insights-handlers.ts'

/** By the full name of the service. */
export function createInsightServices(deps: InsightHandlersDeps & SavedInsightHandlersDeps) {
  return {
    'sluice.v1.InsightService': createInsightHandlers(deps),
    'sluice.v1.OlderInsightService': createOlderInsightHandlers(deps),
    'sluice.v1.SavedInsightService': {
      ...createSavedInsightHandlers(deps),
      ...createExportHandlers(deps),
    },
    'sluice.v1.DashboardService': createDashboardHandlers(deps),
    'sluice.v1.AnnotationService': createAnnotationHandlers(deps),
    'sluice.v1.AlertService': createAlertHandlers(deps),
    'sluice.v1.SubscriptionService': createSubscriptionHandlers(deps),
  }
}
