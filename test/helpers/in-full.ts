// `npm run test:all` sets TEST_IN_FULL. Without this variable a few tests take less data or fewer random cases, so that continuous
// integration ends in time.
const IN_FULL = process.env['TEST_IN_FULL'] !== undefined

/** Returns the size that this run takes: `full` in `npm run test:all`, otherwise `short`. */
export function sizeOf<Size>({ full, short }: { readonly full: Size; readonly short: Size }): Size {
  return IN_FULL ? full : short
}
