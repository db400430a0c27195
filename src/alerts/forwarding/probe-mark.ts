import { day, hour } from '../../base/clock.ts';
import { isAmong, type SecretBox } from '../../base/secrets.ts';
import { headerOf } from '../mail/header-of.ts';

export const probeHeader = 'X-Milaan-Probe';

/** A quiet shop gets a probe this often; one whose page is opened after a silence, at once (`hasten-probe.ts`). */
export const probeEvery = 6 * hour;

/** A probe that took longer tells nothing about today. */
const oldest = 7 * day;

type Probe = { merchantId: number; address: string; sentAt: Date };

/** Signed by us and bound to one business, address and moment: a mark that was seen or repeated proves no more. */
export function probeMark(secrets: SecretBox, probe: Probe): string {
  return `${probe.sentAt.getTime()}.${marks(secrets, probe)[0]!.toString('hex')}`;
}

/** Which of these addresses the probe in this mail was sent to, and when; null where the mail is no probe of ours. */
export function readProbeMark(
  secrets: SecretBox,
  raw: Buffer,
  { merchantId, addresses, now }: { merchantId: number; addresses: readonly string[]; now: Date },
): { address: string; sentAt: Date } | null {
  const [, time, mac] = /^(\d{13})\.([0-9a-f]{64})$/.exec(headerOf(raw, probeHeader) ?? '') ?? [];
  if (!time || !mac) return null;
  const sentAt = new Date(Number(time));
  if (now.getTime() - sentAt.getTime() > oldest) return null;
  const given = Buffer.from(mac, 'hex');
  const address = addresses.find(one => isAmong(marks(secrets, { merchantId, address: one, sentAt }), given));
  return address === undefined ? null : { address, sentAt };
}

function marks(secrets: SecretBox, { merchantId, address, sentAt }: Probe): Buffer[] {
  return secrets.signatures('forwarding probe', `${merchantId}\n${address}\n${sentAt.getTime()}`);
}
