// The first argument of processes that pimlet starts for itself.

export const PICTURE_PROCESS = 'picture-process'
