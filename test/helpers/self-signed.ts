// Makes a key and a self-signed certificate for tests: a minimal X.509 version 1 in DER.
import { generateKeyPairSync, sign } from 'node:crypto'

const ECDSA_WITH_SHA256 = Buffer.from('300a06082a8648ce3d040302', 'hex')
const COMMON_NAME = Buffer.from('0603550403', 'hex')

export function makeSelfSigned(commonName: string): { key: string; cert: string } {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'prime256v1' })
  const name = der(0x30, der(0x31, der(0x30, COMMON_NAME, der(0x0c, Buffer.from(commonName)))))
  const validity = der(0x30, der(0x17, Buffer.from('200101000000Z')), der(0x17, Buffer.from('490101000000Z')))
  const spki = publicKey.export({ type: 'spki', format: 'der' })
  const content = der(0x30, der(0x02, Buffer.from([1])), ECDSA_WITH_SHA256, name, validity, name, spki)
  const signature = der(0x03, Buffer.from([0]), sign('sha256', content, privateKey))
  const certificate = der(0x30, content, ECDSA_WITH_SHA256, signature).toString('base64')
  const lines = certificate.match(/.{1,64}/g) ?? []
  const cert = ['-----BEGIN CERTIFICATE-----', ...lines, '-----END CERTIFICATE-----', ''].join('\n')
  return { key: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(), cert }
}

function der(tag: number, ...parts: Buffer[]): Buffer {
  const content = Buffer.concat(parts)
  const { length } = content
  const size = length < 0x80 ? [length] : length < 0x100 ? [0x81, length] : [0x82, length >> 8, length & 0xff]
  return Buffer.concat([Buffer.from([tag, ...size]), content])
}
