/** Entry point for moving months, imported only where there is a copy. */
export { leavePostgres } from './leave-postgres.ts'
export { returnToPostgres } from './return-to-postgres.ts'
