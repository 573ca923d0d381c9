/**
 * Placeholder in the final size of data that are loading. It becomes visible only after 150 ms (by
 * its style), so that fast answers do not flicker.
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
