import { promisify } from 'node:util';
import { deflate, inflate } from 'node:zlib';
import { rememberedKeys } from '../../../alerts/judging/remembered-keys.ts';
import { mostMailBytes } from '../../../alerts/mail/limits.ts';
import { withMailLineEnds } from '../../../alerts/mail/split-headers.ts';
import { inspectInThread } from '../../../alerts/workshop/inspect-in-thread.ts';
import type { InspectedMail, Uninspected } from '../../../alerts/workshop/inspect-mail.ts';
import { selectHeldMail } from '../../../alerts/workshop/queries.ts';
import type { Form } from '../../../base/http/form.ts';
import type { World } from '../../../base/world.ts';
import { recordAuditInBoth } from '../../../business/accounts/record-audit.ts';
import { actorOf } from '../../frame/record-change.ts';
import type { Visit } from '../../frame/route.ts';

/** The mail in the workshop, and the field by which the form's next step finds it again. */
export type ChosenMail = {
  readonly raw: Buffer;
  readonly arrivedAt: Date | null;
  readonly hidden: { readonly name: 'stored' | 'mail'; readonly value: string };
};

/** A stored mail by its number, an uploaded file, or the previous step's file; null if there is none. */
export async function readChosenMail(world: World, form: Form): Promise<ChosenMail | null> {
  const stored = form.text('stored');
  if (stored !== '') return await readStored(world, stored);
  const chosen = form.file('file');
  const raw = chosen ?? (await unpack(form.raw('mail')));
  if (raw === null || raw.length === 0 || raw.length > mostMailBytes) return null;
  const mail = withMailLineEnds(raw);
  const packed = await promisify(deflate)(mail);
  return { raw: mail, arrivedAt: null, hidden: { name: 'mail', value: packed.toString('base64') } };
}

/** A stored mail that could not be read, by business and number. */
export async function readStored({ sql }: World, value: string): Promise<ChosenMail | null> {
  const [, merchantId, alertId] = /^(\d{1,15})\.([\w-]{1,100})$/.exec(value) ?? [];
  const row = merchantId && alertId ? await selectHeldMail(sql, Number(merchantId), alertId) : null;
  if (!row) return null;
  const raw = await promisify(inflate)(row.raw, { maxOutputLength: mostMailBytes });
  return { raw, arrivedAt: row.arrived_at, hidden: { name: 'stored', value } };
}

async function unpack(value: string): Promise<Buffer | null> {
  if (value === '') return null;
  const packed = Buffer.from(value, 'base64');
  return await promisify(inflate)(packed, { maxOutputLength: mostMailBytes }).catch(() => null);
}

/** A business's mail is private, so each view is recorded in its log and in the installation's. */
export async function recordMailView(world: World, visit: Visit, stored: string): Promise<void> {
  const [merchantId = '', subject = ''] = stored.split('.');
  const audited = { action: 'workshop.look', subject, details: `business ${merchantId}` } as const;
  await world.sql.begin(tx => recordAuditInBoth(tx, actorOf(visit), Number(merchantId), audited));
}

export async function inspectGiven(
  world: World,
  { raw, arrivedAt }: ChosenMail,
  now: Date,
): Promise<InspectedMail | Uninspected | 'gave_up'> {
  const banks = world.banks.current();
  return await inspectInThread({ banks, keys: rememberedKeys(world).ask }, raw, { arrivedAt, now });
}
