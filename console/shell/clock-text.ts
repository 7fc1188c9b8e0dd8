// A duration in the form of a clock.

/** Returns `14:20` or `1:02:03`. @param seconds whole seconds */
export function clockText(seconds: number): string {
  const parts = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60, Math.floor(seconds) % 60]
  const [hours, ...rest] = parts
  const shown = hours === 0 ? rest : parts
  return shown.map((part, index) => (index === 0 ? String(part) : String(part).padStart(2, '0'))).join(':')
}
