// Hands fetched content to the browser as a download.

export function saveFile(content: Blob, name: string): void {
  const link = document.createElement('a')
  link.href = URL.createObjectURL(content)
  link.download = name
  link.click()
  // After this time, the browser has started the download.
  window.setTimeout(() => URL.revokeObjectURL(link.href), 10_000)
}
