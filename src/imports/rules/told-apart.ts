// Tells columns with the same header apart, as people do: by the letter that a spreadsheet gives the column.
// Contract 5 §1.

/** Returns the headers; of several equal ones each has its letter: `Price (B)`. */
export function tellApart(headers: readonly string[]): string[] {
  const counts = Map.groupBy(headers, (header) => header.trim())
  return headers.map((header, index) => {
    const text = header.trim()
    const named = `${text} (${letterOf(index)})`
    return text === '' || counts.get(text)!.length === 1 || counts.has(named) ? header : named
  })
}

/** 0 → `A`, 26 → `AA`. */
function letterOf(index: number): string {
  const before = Math.floor(index / 26)
  return (before === 0 ? '' : letterOf(before - 1)) + String.fromCharCode(65 + (index % 26))
}
