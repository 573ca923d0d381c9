/**
 * What stands in the place of data that are on their way, in their final size. It shows itself
 * after 150 ms only (its style says so): what comes sooner does not flicker.
 */
export function Skeleton({ height, width }: { readonly height: number; readonly width?: string }) {
  return <div class="skeleton" style={{ height: `${height}px`, width: width ?? '100%' }} />
}

export function TableSkeleton({
  rows,
  height = 36,
}: {
  readonly rows: number
  readonly height?: number
}) {
  return (
    <div class="skeleton-rows">
      {Array.from({ length: rows }, (_, index) => (
        <Skeleton key={index} height={height - 8} />
      ))}
    </div>
  )
}
