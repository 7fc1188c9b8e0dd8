// Sizes and durations in readable units.

const BYTE_UNITS = ['B', 'KB', 'MB', 'GB', 'TB'] as const

/** @param write formats a number in the user's language */
export function byteText(bytes: number, write: (value: number) => string): string {
  const power = Math.min(BYTE_UNITS.length - 1, Math.floor(Math.log(Math.max(1, bytes)) / Math.log(1000)))
  return `${write(rounded(bytes / 1000 ** power))} ${BYTE_UNITS[power]}`
}

export function durationText(milliseconds: number, write: (value: number) => string): string {
  if (milliseconds < 1000) return `${write(Math.round(milliseconds))} ms`
  const seconds = milliseconds / 1000
  if (seconds < 60) return `${write(rounded(seconds))} s`
  const minutes = Math.floor(seconds / 60)
  return minutes < 60
    ? `${write(minutes)} min ${write(Math.floor(seconds % 60))} s`
    : `${write(Math.floor(minutes / 60))} h ${write(minutes % 60)} min`
}

function rounded(value: number): number {
  return value < 10 ? Math.round(value * 10) / 10 : Math.round(value)
}
