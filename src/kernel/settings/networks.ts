// Sets of addresses and networks, as settings name them.
import { BlockList, isIP } from 'node:net'

/** A set of addresses and networks (`10.0.0.0/8`). @throws Error naming an entry that is neither */
export function parseNetworks(entries: readonly string[]): BlockList {
  const networks = new BlockList()
  for (const entry of entries) {
    const [address = '', prefix, ...rest] = entry.split('/')
    const version = isIP(address)
    const bits = prefix === undefined ? (version === 6 ? 128 : 32) : Number(prefix)
    const isPrefix = Number.isInteger(bits) && bits >= 0 && bits <= (version === 6 ? 128 : 32) && prefix !== ''
    if (version === 0 || !isPrefix || rest.length > 0)
      throw new Error(`'${entry}' is neither an address (10.0.0.5, ::1) nor a network (10.0.0.0/8)`)
    networks.addSubnet(address, bits, version === 6 ? 'ipv6' : 'ipv4')
  }
  return networks
}

/** IPv4 addresses in their IPv6 form are the same. */
export function isAmong(networks: BlockList, address: string): boolean {
  const plain = address.startsWith('::ffff:') ? address.slice(7) : address
  const version = isIP(plain)
  return version !== 0 && networks.check(plain, version === 6 ? 'ipv6' : 'ipv4')
}
