// Profiles the process that preloads it: the first SIGUSR2 starts the profilers, the second writes
// the profiles into SLUICE_PROFILE_DIR, as `<pid>.cpu.json` and `<pid>.heap.json`.
import { writeFileSync } from 'node:fs'
import { Session } from 'node:inspector/promises'
import { join } from 'node:path'

const INTERVAL_US = 200
const HEAP_BYTES_INTERVAL = 32_768

const folder = process.env.SLUICE_PROFILE_DIR
if (folder !== undefined) {
  const session = new Session()
  session.connect()
  let isOn = false
  process.on('SIGUSR2', async () => {
    isOn = !isOn
    if (isOn) {
      await session.post('Profiler.enable')
      await session.post('Profiler.setSamplingInterval', { interval: INTERVAL_US })
      await session.post('HeapProfiler.startSampling', {
        samplingInterval: HEAP_BYTES_INTERVAL,
        includeObjectsCollectedByMajorGC: true,
        includeObjectsCollectedByMinorGC: true,
      })
      await session.post('Profiler.start')
      return
    }
    const { profile: cpu } = await session.post('Profiler.stop')
    const { profile: heap } = await session.post('HeapProfiler.stopSampling')
    const write = (kind, profile) =>
      writeFileSync(join(folder, `${process.pid}.${kind}.json`), JSON.stringify(profile))
    write('heap', heap)
    write('cpu', cpu)
  })
}
