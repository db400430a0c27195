import { later } from '../../base/clock.ts';
import type { Transaction } from '../../base/database/connect.ts';
import type { World } from '../../base/world.ts';
import { confirmByForwarding } from '../addresses/confirm-alert-address.ts';
import { probeEvery, readProbeMark } from './probe-mark.ts';
import { markForwardingWorks, readOpenForwarding } from './queries/forwarding.ts';
import { listProbes, recordProbeAnswer } from './queries/probes.ts';

/** What one of our own mails that came back is: a code for an address, a probe, or neither. */
export type OwnMail = 'code' | 'probe' | null;

/**
 * A code or a probe that came back. Both prove that the forwarding works, and nobody else can make either. One that
 * comes by an address that was given up proves nothing about the address that replaced it.
 */
export async function takeOwnMail(
  tx: Transaction,
  world: Pick<World, 'clock' | 'secrets'>,
  { merchantId, address }: { merchantId: number; address: string },
  raw: Buffer,
): Promise<OwnMail> {
  const now = world.clock.now();
  if ((await readOpenForwarding(tx, merchantId))?.address !== address) return null;
  const kind = await use(tx, world, merchantId, raw, now);
  if (kind !== null) await markForwardingWorks(tx, merchantId, now);
  return kind;
}

async function use(
  tx: Transaction,
  world: Pick<World, 'clock' | 'secrets'>,
  merchantId: number,
  raw: Buffer,
  now: Date,
): Promise<OwnMail> {
  const confirmed = await confirmByForwarding(tx, world, merchantId, raw);
  if (confirmed) return confirmed.outcome === 'confirmed' ? 'code' : null;
  const addresses = (await listProbes(tx, merchantId)).map(({ address }) => address);
  const probe = readProbeMark(world.secrets, raw, { merchantId, addresses, now });
  if (!probe) return null;
  const { address, sentAt } = probe;
  const dueAt = later(now, probeEvery);
  await recordProbeAnswer(tx, { merchant_id: merchantId, address }, { sentAt, now, dueAt });
  return 'probe';
}
