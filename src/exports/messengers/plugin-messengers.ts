// The installed messengers over the engine of destinations: settings are checked, kept secret and moved by its rules, and a
// message is one call with its limits. Contract 5 §7.
import { PimletError } from '../../kernel/errors.ts'
import type { GuardedNetwork } from '../../kernel/egress/network.ts'
import type { System } from '../../kernel/machine/system.ts'
import type { MessengerSettings, Messengers } from '../../kernel/messengers.ts'
import type { Log } from '../../kernel/observing/log.ts'
import { createSecretBox, UnreadableSecret } from '../../kernel/secrets/secret-box.ts'
import type { Store } from '../../store/port.ts'
import { createDestinations, UnusableDestination } from '../destinations/destinations.ts'
import { createDelivery, DeliveryFailed, type DeliveryLimits } from '../engine/delivery.ts'
import { prepareSettings } from '../jobs/job-settings.ts'
import type { TargetSettings } from '../rules/export-job.ts'
import { fileOf, type Plugin } from './messenger-plugin.ts'

/** Owner of the secrets: there is one messenger at most. */
const OWNER = 'messenger'

interface MessengersDeps {
  readonly store: Store
  readonly system: System
  readonly log: Log
  /** By type. */
  readonly installed: ReadonlyMap<string, Plugin>
  readonly network: GuardedNetwork
  readonly encryptionKey: Buffer
  readonly limits?: Partial<DeliveryLimits> | undefined
}

export function createMessengers({ store, system, log, installed, network, ...deps }: MessengersDeps): Messengers {
  const box = createSecretBox(deps.encryptionKey, (count) => system.randomBytes(count))
  const destinations = createDestinations(installed, box, network, (message) => log.warn({}, message))
  const now = (): Date => system.now()
  const delivery = createDelivery({ store, network, log, now, random: Math.random, limits: deps.limits ?? {} })
  return {
    list: () => destinations.list().map(({ type, title, secrets }) => ({ type, title, secrets })),

    async prepare({ type, config }, before) {
      try {
        const engine = { destinations, secrets: box }
        const stored = await prepareSettings(engine, { jobId: OWNER, type, config }, before && targetOf(before))
        return { type, config: stored.destinationConfig, secrets: stored.secrets }
      } catch (error) {
        throw inOwnWords(error)
      }
    },

    async send(settings, message, signal) {
      try {
        const target = await destinations.targetOf(targetOf(settings))
        const check: Plugin['check'] = async (config, context) =>
          void (await target.destination.deliver(fileOf(message), config, context))
        const destination = { ...target.destination, check }
        await delivery.check({ ...target, destination, isDraft: true }, message.id, signal)
        return undefined
      } catch (error) {
        const isTold =
          error instanceof DeliveryFailed || error instanceof UnusableDestination || error instanceof UnreadableSecret
        if (!isTold) throw error
        const { cause } = error as { cause?: { permanent?: unknown } }
        return { message: error.message, isPermanent: !(error instanceof DeliveryFailed) || cause?.permanent === true }
      }
    },
  }
}

function targetOf({ type, config, secrets }: MessengerSettings): TargetSettings {
  return { id: OWNER, destinationType: type, destinationConfig: config, secrets }
}

/** The engine names the members of an export job. */
function inOwnWords(error: unknown): unknown {
  if (!(error instanceof PimletError)) return error
  const message = error.message.replaceAll('destinationConfig', 'config').replaceAll('destinationType', 'type')
  return new PimletError(error.code, message)
}
