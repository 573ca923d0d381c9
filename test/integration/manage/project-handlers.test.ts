import './handlers/activity.ts'
import './handlers/audit.ts'
import './handlers/flag-libraries.ts'
import './secrets/flag-secrets.ts'
import './secrets/operator-audit.ts'
import './handlers/flags.ts'
import './handlers/ingestion-warnings.ts'
import './handlers/project-lifecycle.ts'
import './handlers/projects.ts'
import './privacy/persons.ts'

/**
 * Projects, their flags and the log of what was changed in them: the handlers of management calls over a database.
 * One process and one Postgres for all files; each makes databases of its own, and runs alone too.
 */
