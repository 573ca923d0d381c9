import { OFREPProvider } from '@openfeature/ofrep-provider'
import { OpenFeature } from '@openfeature/server-sdk'

await OpenFeature.setProviderAndWait(
  new OFREPProvider({
    baseUrl: 'http://localhost:8000',
    headers: [['Authorization', 'Bearer phc_your_project_key']],
  }),
)

const client = OpenFeature.getClient()
const context = { targetingKey: 'user-1', plan: 'pro', groups: { company: 'acme' } }
const isNew = await client.getBooleanValue('new-checkout', false, context)
console.log(isNew ? 'the new checkout' : 'the old checkout')
