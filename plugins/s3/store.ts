// One connection to an S3 store for one delivery: the SDK's client, bound to the run's network, signal and time limits.
// The SDK is loaded here, with the first delivery, not at start-up.
import type * as Sdk from '@aws-sdk/client-s3'
import type { NodeHttpHandler as Handler } from '@smithy/node-http-handler'
import type { Network, RunContext } from '../../src/kernel/destination.ts'
import type { S3Config } from './config.ts'

export interface Store {
  readonly sdk: typeof Sdk
  readonly client: Sdk.S3Client
  readonly config: S3Config
  readonly context: RunContext
  /** Ends every request without its own signal: with the run, and with the first fault. */
  readonly stop: AbortController
}

export async function openStore(config: S3Config, context: RunContext, stop: AbortController): Promise<Store> {
  if (config.endpoint) await context.network.assertAllowed(new URL(config.endpoint).hostname)
  if (!config.accessKeyId) await guardMetadata(context.network)
  const sdk = await import('@aws-sdk/client-s3')
  const { accessKeyId, secretAccessKey, sessionToken } = config
  const client = new sdk.S3Client({
    region: config.region,
    ...(config.endpoint ? { endpoint: config.endpoint } : {}),
    forcePathStyle: config.forcePathStyle ?? config.endpoint !== undefined,
    ...(accessKeyId && secretAccessKey ? { credentials: { accessKeyId, secretAccessKey, sessionToken } } : {}),
    requestChecksumCalculation: config.checksums === false ? 'WHEN_REQUIRED' : 'WHEN_SUPPORTED',
    responseChecksumValidation: 'WHEN_REQUIRED',
    // The runner retries. One retry here keeps a stale connection from costing a whole upload.
    maxAttempts: 2,
    retryMode: 'standard',
    expectContinueHeader: false,
    requestHandler: await makeRequestHandler(config, context.network, stop.signal),
  })
  return { sdk, client, config, context, stop }
}

async function makeRequestHandler(config: S3Config, network: Network, signal: AbortSignal) {
  const { NodeHttpHandler } = await import('@smithy/node-http-handler')
  type Handle = Handler['handle']
  // lib-storage gives no signal to its part requests: on a dead link they would outlive the delivery.
  class SignalledHandler extends NodeHttpHandler {
    override handle(request: Parameters<Handle>[0], options: Parameters<Handle>[1] = {}): ReturnType<Handle> {
      return super.handle(request, { ...options, abortSignal: options.abortSignal ?? signal })
    }
  }
  const idleMs = (config.timeoutSeconds ?? 60) * 1000
  return new SignalledHandler({
    httpAgent: network.httpAgent,
    httpsAgent: network.httpsAgent,
    connectionTimeout: Math.min(idleMs, 10_000),
    socketTimeout: idleMs,
    requestTimeout: 10 * idleMs,
    throwOnRequestTimeout: true,
    // The default is the sum of the limits above; a timer left by a refused connection would then keep the process
    // alive.
    socketAcquisitionWarningTimeout: 1000,
  })
}

/** The SDK's default chain contacts the metadata services past the network's guard, so the guard is asked here first. */
async function guardMetadata(network: Network): Promise<void> {
  const { env } = process
  const container = env['AWS_CONTAINER_CREDENTIALS_FULL_URI']
  if (env['AWS_CONTAINER_CREDENTIALS_RELATIVE_URI']) await network.assertAllowed('169.254.170.2')
  else if (container && URL.canParse(container)) await network.assertAllowed(new URL(container).hostname)
  try {
    await network.assertAllowed('169.254.169.254')
  } catch {
    env['AWS_EC2_METADATA_DISABLED'] = 'true'
  }
}
