import './handlers/chat.ts'
import './handlers/event-definitions.ts'
import './handlers/event-tables.ts'
import './handlers/event-values.ts'
import './handlers/events.ts'
import './handlers/plugin-configs.ts'
import './secrets/plugin-secrets.ts'
import './handlers/plugin-versions.ts'
import './handlers/plugins.ts'

/**
 * Events as they are read, and the plugins that change them: the handlers of management calls over a database.
 * One process and one Postgres for all files; each makes databases of its own, and runs alone too.
 */
