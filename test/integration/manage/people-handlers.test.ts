import './handlers/admin.ts'
import './handlers/email-change.ts'
import './handlers/invite-secrets.ts'
import './handlers/invites.ts'
import './handlers/keys.ts'
import './handlers/members.ts'
import './handlers/organizations.ts'
import './handlers/signup.ts'
import './handlers/user-state.ts'
import './handlers/users.ts'

/**
 * Users and what they join, hold and accept: the handlers of management calls over a database.
 * One process and one Postgres for all files; each makes databases of its own, and runs alone too.
 */
