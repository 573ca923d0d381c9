import { useEffect, useState } from 'preact/hooks'

/** Says that the browser has no network. The page keeps its data, and shows their age. */
export function OfflineNote() {
  const [isOffline, setOffline] = useState(!navigator.onLine)
  useEffect(() => {
    const look = () => setOffline(!navigator.onLine)
    addEventListener('online', look)
    addEventListener('offline', look)
    return () => {
      removeEventListener('online', look)
      removeEventListener('offline', look)
    }
  }, [])
  return (
    <div role="status" class={isOffline ? 'offline' : 'unseen'}>
      {isOffline ? 'You are offline. This may be outdated.' : ''}
    </div>
  )
}
