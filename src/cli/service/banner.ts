import type { Bootstrapped } from '../../access/bootstrap.ts'
import type { Log } from '../../core/log.ts'

/**
 * Prints the keys of a first start, once: as a log line when standard output is not a terminal. On
 * one the banner shows them.
 */
export function printFirstKeys(log: Log, made: Bootstrapped | undefined): void {
  if (made === undefined || process.stdout.isTTY) return
  log.info('first start: these keys are shown once', {
    email: made.email,
    projectId: made.user.project?.id,
    projectApiKey: made.projectApiKey,
    personalApiKey: made.personalApiKey,
  })
}

/** What a person needs to go on, in a few lines. */
export function banner(facts: {
  url: string
  grpc: string
  dataDir: string
  made: Bootstrapped | undefined
}): string {
  const { url, grpc, dataDir, made } = facts
  const projectKey = made?.projectApiKey ?? '<project API key>'
  const keys =
    made === undefined
      ? []
      : [
          `  Project API key    ${made.projectApiKey}`,
          `  Personal API key   ${made.personalApiKey}   (shown once)`,
        ]
  const event = `{"api_key":"${projectKey}","event":"hello","distinct_id":"me"}`
  const question = `{"api_key":"${projectKey}","distinct_id":"me"}`
  return [
    '',
    '  Sluice is ready.',
    '',
    `  HTTP   ${url}`,
    `  gRPC   ${grpc}`,
    `  Data   ${dataDir}`,
    ...keys,
    '',
    `  curl -X POST ${url}/capture/ -H 'Content-Type: application/json' -d '${event}'`,
    `  curl -X POST '${url}/decide/?v=2' -H 'Content-Type: application/json' -d '${question}'`,
    '',
    '',
  ].join('\n')
}
