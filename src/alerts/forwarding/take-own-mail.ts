import { later } from '../../base/clock.ts';
import type { Transaction } from '../../base/database/connect.ts';
import type { World } from '../../base/world.ts';
import { because } from '../../texts/verdicts.ts';
import { confirmByForwarding } from '../addresses/confirm-alert-address.ts';
import { tellChanged } from '../judging/tell-changed.ts';
import { headerOf } from '../mail/header-of.ts';
import { changeOfProbe } from './probe-content.ts';
import { probeEvery, probeHeader, readProbeMark } from './probe-mark.ts';
import { markForwardingWorks, readOpenForwarding } from './queries/forwarding.ts';
import { listProbes, recordProbeAnswer } from './queries/probes.ts';

/** What one of our own mails that came back is: a code for an address, a probe, or neither. */
export type OwnMail = 'code' | 'probe' | null;
type Used = OwnMail | 'changed';

/**
 * A code or a probe that came back. Both prove that the forwarding works, and nobody else can make either. One that
 * comes by an address that was given up proves nothing about the address that replaced it.
 */
export async function takeOwnMail(
  tx: Transaction,
  world: Pick<World, 'clock' | 'secrets' | 'cells' | 'cell'>,
  { merchantId, address }: { merchantId: number; address: string },
  raw: Buffer,
): Promise<OwnMail> {
  const now = world.clock.now();
  if ((await readOpenForwarding(tx, merchantId))?.address !== address) return null;
  const kind = await use(tx, world, merchantId, raw, now);
  // What comes changed comes, and shows that no alert would count.
  if (kind === 'changed') return 'probe';
  if (kind !== null) await markForwardingWorks(tx, merchantId, now);
  return kind;
}

async function use(
  tx: Transaction,
  world: Pick<World, 'clock' | 'secrets' | 'cells' | 'cell'>,
  merchantId: number,
  raw: Buffer,
  now: Date,
): Promise<Used> {
  const confirmed = await confirmByForwarding(tx, world, merchantId, raw);
  if (confirmed) return confirmed.outcome === 'confirmed' ? 'code' : null;
  const addresses = (await listProbes(tx, merchantId)).map(({ address }) => address);
  const probe = readProbeMark(world.secrets, raw, { merchantId, addresses, now });
  if (!probe) return null;
  const { address, sentAt } = probe;
  const dueAt = later(now, probeEvery);
  const change = changeOfProbe(world.secrets, headerOf(raw, probeHeader) ?? '', raw);
  await recordProbeAnswer(tx, { merchant_id: merchantId, address }, { sentAt, now, dueAt, change });
  if (change === null) return 'probe';
  await tellChanged(tx, merchantId, { way: 'forwarding', what: because('changed_probe'), change, now });
  return 'changed';
}
