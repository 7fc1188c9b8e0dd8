// The mark of pimlet: a record with its fields, as the letter p.
export function Mark() {
  return (
    <svg class="mark-of-pimlet" viewBox="0 0 24 24" aria-hidden="true">
      <rect width="24" height="24" rx="6" />
      <path d="M7.5 19V6h5.2a4.3 4.3 0 0 1 0 8.6H11" />
      <circle cx="12.5" cy="10.3" r="1.4" />
    </svg>
  )
}
