// The faults of files as the rest of the product knows them.
import { PimletError } from '../errors.ts'

const UNAVAILABLE_CODES = new Set(['ENOSPC', 'EDQUOT', 'EIO', 'EROFS', 'EFBIG', 'EMFILE', 'ENFILE', 'EACCES', 'EPERM'])

/** @throws UNAVAILABLE for storage that is full or not writable, else `error` itself */
export function translateFileError(error: unknown): never {
  const { code } = error as NodeJS.ErrnoException
  if (code === undefined || !UNAVAILABLE_CODES.has(code)) throw error
  throw new PimletError('UNAVAILABLE', 'The storage is full or not writable', { cause: error })
}
