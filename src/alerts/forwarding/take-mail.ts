import { compareClocks } from '../../base/database/compare-clocks.ts';
import type { World } from '../../base/world.ts';
import { refuseMoved } from '../../business/merchants/queries.ts';
import { proofHeader } from '../addresses/address-code.ts';
import type { Desk } from '../judging/open-desk.ts';
import { forwardedPlace } from '../judging/queries/ways.ts';
import { storeMails } from '../judging/store-mail.ts';
import { headerOf, headOf } from '../mail/header-of.ts';
import { readSenders } from '../mail/read-senders.ts';
import { arrivalTime } from '../mailboxes/take-in.ts';
import { probeHeader } from './probe-mark.ts';
import { writeForwardRequest } from './queries/forwarding.ts';
import { mayBeConfirmation, readConfirmation } from './read-confirmation.ts';
import { takeOwnMail } from './take-own-mail.ts';

export type TakeWorld = Pick<
  World,
  'sql' | 'clock' | 'dns' | 'log' | 'secrets' | 'metrics' | 'cells' | 'cell'
>;

export type Recipient = { merchantId: number; address: string };

/** What became of a mail. One that is passed over is not kept, nor is an `unclear` one, which is to come back. */
export type Taken = 'alert' | 'code' | 'probe' | 'confirmation' | 'passed_over' | 'unclear';

export type TakeTools = {
  isBankSender(address: string): boolean;
  /** Null where nobody judges in this process. */
  desk?: Desk | null;
  /** Called between any two steps that a crash could part; a drill stops here. */
  step?: (name: TakeStep) => Promise<void>;
};

export type TakeStep = 'recipient known' | 'mail received' | 'stored, not committed' | 'committed';

/** Of so many who asked a provider the newest are shown. */
const mostRequests = 20;

/**
 * A mail that was forwarded to us, for one business or several; when this returns it is stored, or is none of ours. A
 * bank's mail takes the way of every alert (gate 1). Everything is one transaction, and repeating it changes nothing.
 */
export async function takeMail(
  world: TakeWorld,
  { isBankSender, desk = null, step = async () => {} }: TakeTools,
  raw: Buffer,
  recipients: readonly Recipient[],
): Promise<Taken> {
  const mail: Handed = { world, raw, recipients, desk, step };
  await step('mail received');
  const senders = readSenders(sendersOf(raw));
  const taken = senders.some(isBankSender)
    ? await storeAlert(mail)
    : hasOwnMark(raw)
      ? await takeOwn(mail)
      : mayBeConfirmation(raw, senders)
        ? await takeConfirmation(mail)
        : 'passed_over';
  await step('committed');
  return taken;
}

type Handed = {
  world: TakeWorld;
  raw: Buffer;
  recipients: readonly Recipient[];
  desk: Desk | null;
  step: NonNullable<TakeTools['step']>;
};

async function storeAlert({ world, raw, recipients, desk, step }: Handed): Promise<Taken> {
  const { sql, clock } = world;
  // By a clock that slept or was set, mail would seem to arrive long before or after what it pays.
  if (clock.inDoubt?.()) await compareClocks(sql, world);
  const now = clock.now();
  const mail = { raw, arrivedAt: arrivalTime(clock, now), dueAt: now, foundIn: forwardedPlace };
  const [only, ...others] = recipients;
  await storeMails(desk, async store => {
    // One statement is a transaction by itself.
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
    // It is addressed to one of them alone.
    return 'confirmation';
  }
  return 'passed_over';
}

function hasOwnMark(raw: Buffer): boolean {
  return headerOf(raw, proofHeader) !== null || headerOf(raw, probeHeader) !== null;
}

/** Every From there is, whichever of them a mail program would show: it only chooses what is kept and judged. */
function sendersOf(raw: Buffer): Buffer {
  return Buffer.from((headOf(raw).match(/^from[ \t]*:.*(?:\r?\n[ \t].*)*/gim) ?? []).join('\r\n'), 'latin1');
}
