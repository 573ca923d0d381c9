/** What moves months, for those who have a copy. */
export { leavePostgres } from './leave-postgres.ts'
export { returnToPostgres } from './return-to-postgres.ts'
