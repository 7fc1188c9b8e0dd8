// Faults of TLS in words: OpenSSL's text names its own source files.

const OPENSSL = /(?:(?:read|write) EPROTO )?[0-9A-F]+:error:[0-9A-F]+:SSL routines:[^:]*:([^:\n]+):\S*\s*/g

/** `no secure connection could be made (wrong version number)` */
export function plainTls(message: string): string {
  return message.replace(OPENSSL, 'no secure connection could be made ($1)')
}
