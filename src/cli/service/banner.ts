/** What a first start prints on a terminal. */
import type { Bootstrapped } from '../../access/bootstrap.ts'

/** The first steps, in a few lines. */
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
          `  Personal API key   ${made.personalApiKey}   (shown once; also in ${dataDir}/first-keys.json)`,
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
