import { later } from '../../base/clock.ts';
import { compareClocks } from '../../base/database/compare-clocks.ts';
import type { Transaction } from '../../base/database/connect.ts';
import type { World } from '../../base/world.ts';
import { refuseMoved } from '../../business/merchants/queries.ts';
import { because } from '../../texts/verdicts.ts';
import { confirmByProof, proofHeader } from '../addresses/confirm-alert-address.ts';
import { notifyChanged } from '../judging/notify-of-alerts.ts';
import { forwardedPlace } from '../judging/queries/ways.ts';
import type { WorkerSlots } from '../judging/start-judging.ts';
import { storeMails } from '../judging/store-mail.ts';
import { headerOf, headOf, readSenders } from '../mail/split-headers.ts';
import { arrivalTime } from '../mailboxes/store-new-mails.ts';
import { changeOfProbe, probeEvery, probeHeader, readProbeToken } from './probe.ts';
import { markForwardingWorks, readOpenForwarding, writeForwardRequest } from './queries/forwarding.ts';
import { listProbes, recordProbeAnswer } from './queries/probes.ts';
import { mayBeConfirmation, readConfirmation } from './read-confirmation.ts';

export type ReceiveWorld = Pick<
  World,
  'sql' | 'clock' | 'dns' | 'log' | 'secrets' | 'metrics' | 'cells' | 'cell'
>;

export type Recipient = { merchantId: number; address: string };

/** The kind of mail. `passed_over` and `unclear` mails are not stored; the sender tries an `unclear` one again. */
export type Taken = 'alert' | 'code' | 'probe' | 'confirmation' | 'passed_over' | 'unclear';

export type ReceiveTools = {
  isBankSender(address: string): boolean;
  /** Null if this process does not judge mails. */
  workerSlots?: WorkerSlots | null;
  /** Runs between any two steps that a crash could separate; a drill stops here. */
  step?: (name: ReceiveStep) => Promise<void>;
};

export type ReceiveStep = 'recipient known' | 'mail received' | 'stored, not committed' | 'committed';

const mostRequests = 20;

/**
 * Takes a mail that was forwarded to us, for one or several businesses. When this returns, it is stored or is not
 * ours. A bank's mail starts at gate 1, like every alert. All is one transaction, and repeating it changes nothing.
 */
export async function receiveMail(
  world: ReceiveWorld,
  { isBankSender, workerSlots = null, step = async () => {} }: ReceiveTools,
  raw: Buffer,
  recipients: readonly Recipient[],
): Promise<Taken> {
  const mail: Handed = { world, raw, recipients, workerSlots, step };
  await step('mail received');
  const senders = readSenders(sendersOf(raw));
  const taken = senders.some(isBankSender)
    ? await storeAlert(mail)
    : isOurs(raw)
      ? await takeOwn(mail)
      : mayBeConfirmation(raw, senders)
        ? await takeConfirmation(mail)
        : 'passed_over';
  await step('committed');
  return taken;
}

type Handed = {
  world: ReceiveWorld;
  raw: Buffer;
  recipients: readonly Recipient[];
  workerSlots: WorkerSlots | null;
  step: NonNullable<ReceiveTools['step']>;
};

async function storeAlert({ world, raw, recipients, workerSlots, step }: Handed): Promise<Taken> {
  const { sql, clock } = world;
  // After a sleep or a clock change, mail would seem to arrive long before or after its payment.
  if (clock.inDoubt?.()) await compareClocks(sql, world);
  const now = clock.now();
  const mail = { raw, arrivedAt: arrivalTime(clock, now), dueAt: now, foundIn: forwardedPlace };
  const [only, ...others] = recipients;
  await storeMails(workerSlots, async store => {
    // A single statement needs no explicit transaction.
    if (only && others.length === 0) return void (await store(sql, { ...mail, merchantId: only.merchantId }));
    await sql.begin(async tx => {
      for (const { merchantId } of recipients) await store(tx, { ...mail, merchantId });
      await step('stored, not committed');
    });
  });
  return 'alert';
}

async function takeOwn({ world, raw, recipients, step }: Handed): Promise<Taken> {
  return await world.sql.begin(async tx => {
    let taken: Taken = 'passed_over';
    for (const { merchantId } of recipients) await refuseMoved(tx, merchantId);
    for (const recipient of recipients) taken = (await takeOwnMail(tx, world, recipient, raw)) ?? taken;
    await step('stored, not committed');
    return taken;
  });
}

async function takeConfirmation({ world, raw, recipients, step }: Handed): Promise<Taken> {
  for (const { merchantId, address } of recipients) {
    const read = await readConfirmation(world, raw, address);
    if (read === 'unclear') return 'unclear';
    if (read === null) continue;
    await world.sql.begin(async tx => {
      await refuseMoved(tx, merchantId);
      await writeForwardRequest(tx, merchantId, read.request, mostRequests);
      await step('stored, not committed');
    });
    // The question is addressed to only one of the recipients.
    return 'confirmation';
  }
  return 'passed_over';
}

function isOurs(raw: Buffer): boolean {
  return headerOf(raw, proofHeader) !== null || headerOf(raw, probeHeader) !== null;
}

/** Every From header, because mail programs differ in which one they show. It only decides what is stored. */
function sendersOf(raw: Buffer): Buffer {
  return Buffer.from((headOf(raw).match(/^from[ \t]*:.*(?:\r?\n[ \t].*)*/gim) ?? []).join('\r\n'), 'latin1');
}

/** The kind of our own mail that came back: a code for an address, a probe, or neither. */
type OwnMail = 'code' | 'probe' | null;
type Used = OwnMail | 'changed';

/**
 * Takes a code or a probe that came back. Both prove that the forwarding works, because nobody else can make them. If
 * it came through an address that was given up, it proves nothing about the new one.
 */
async function takeOwnMail(
  tx: Transaction,
  world: Pick<World, 'clock' | 'secrets' | 'cells' | 'cell'>,
  { merchantId, address }: { merchantId: number; address: string },
  raw: Buffer,
): Promise<OwnMail> {
  const now = world.clock.now();
  if ((await readOpenForwarding(tx, merchantId))?.address !== address) return null;
  const kind = await use(tx, world, merchantId, raw, now);
  // A changed probe shows that mail comes, but that no alert would count.
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
  const confirmed = await confirmByProof(tx, world, merchantId, raw, { forwarded: true });
  if (confirmed) return confirmed.outcome === 'confirmed' ? 'code' : null;
  const addresses = (await listProbes(tx, merchantId)).map(({ address }) => address);
  const probe = readProbeToken(world.secrets, raw, { merchantId, addresses, now });
  if (!probe) return null;
  const { address, sentAt } = probe;
  const dueAt = later(now, probeEvery);
  const change = changeOfProbe(world.secrets, headerOf(raw, probeHeader) ?? '', raw);
  await recordProbeAnswer(tx, { merchant_id: merchantId, address }, { sentAt, now, dueAt, change });
  if (change === null) return 'probe';
  await notifyChanged(tx, merchantId, { way: 'forwarding', what: because('changed_probe'), change, now });
  return 'changed';
}
