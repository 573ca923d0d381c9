import { OFREPWebProvider } from '@openfeature/ofrep-web-provider'
import { OpenFeature } from '@openfeature/web-sdk'

await OpenFeature.setContext({ targetingKey: 'user-1', plan: 'pro' })
await OpenFeature.setProviderAndWait(
  new OFREPWebProvider({
    baseUrl: 'http://localhost:8000',
    headers: [['Authorization', 'Bearer phc_your_project_key']],
    // With `pollInterval: 30_000` it hears of changes too.
  }),
)

const isNew = OpenFeature.getClient().getBooleanValue('new-checkout', false)
console.log(isNew ? 'the new checkout' : 'the old checkout')
