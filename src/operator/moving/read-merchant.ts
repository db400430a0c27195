import { addressIsTaken } from '../../alerts/addresses/queries/addresses.ts';
import { day, later, second } from '../../base/clock.ts';
import type { Transaction } from '../../base/database/connect.ts';
import { isTaken } from '../../base/database/is-taken.ts';
import { randomBase62 } from '../../base/random.ts';
import { shownName } from '../../base/read-name.ts';
import { idsEnd } from '../../base/settings/config-cells.ts';
import { StartError } from '../../base/start-error.ts';
import { BrokenArchive, type Entry, readTar } from '../../base/tar.ts';
import type { World } from '../../base/world.ts';
import { hashPassword } from '../../business/accounts/password.ts';
import { byOperator, recordAudit } from '../../business/accounts/record-audit.ts';
import { takeName } from '../../business/accounts/taken-names.ts';
import { defaultPlan } from '../../business/merchants/plans.ts';
import { planExists } from '../../business/merchants/queries.ts';
import { queueMail, sealLetter } from '../../outbox/mails/queue-mail.ts';
import { newWebhookSecret, webhookSecretBinding } from '../../outbox/webhooks/sign-webhook.ts';
import { erasureKeyBinding } from '../../payments/matching/erased-references.ts';
import { insertErasureKey } from '../../privacy/queries/erasures.ts';
import { type Language, textsIn } from '../../texts/languages.ts';
import { because } from '../../texts/verdicts.ts';
import { wake } from './pause-merchant.ts';
import {
  type Columns,
  countSettledElsewhere,
  hasMatches,
  isFarAhead,
  knowsMigration,
  liftSequence,
  selectAddressesOf,
  selectBanksOf,
  selectErasureKey,
  selectHere,
  unpark,
} from './queries.ts';
import { type Row, readJson, readTables } from './read-tables.ts';
import { faultOfFile, leaveStage, openStage, refuseStaged } from './staging-schema.ts';
import { type Way, ways } from './tables.ts';
import { format, type Head, tablesInOrder, type Written } from './write-merchant.ts';

export type Arrived = { head: Head; written: Written };

type ReadWorld = Pick<World, 'sql' | 'secrets' | 'clock' | 'banks' | 'cells' | 'cell' | 'baseUrl'>;

type How = {
  plan?: string | undefined;
  most?: number | undefined;
};

/** One transaction holds the whole import, so nobody sees a half, and a crash leaves nothing. */
export async function readMerchant(
  here: ReadWorld,
  bytes: AsyncIterable<Buffer>,
  { plan, most }: How = {},
): Promise<Arrived> {
  const archive = await openArchive(here, bytes, { most });
  const { world, head } = archive;
  const unusable = await hashPassword(randomBase62(40));
  try {
    return await world.sql.begin(
      async tx => {
        await tx.unsafe(`set local idle_in_transaction_session_timeout = '10min'`);
        const opened = await openStage(tx, tablesInOrder, head.kind);
        return await readThroughStage(tx, archive, { ...opened, plan, unusable });
      },
      { patient: true },
    );
  } catch (error) {
    throw inWords(error, head);
  }
}

type Opened = { world: ReadWorld; head: Head; entries: AsyncGenerator<Entry> };

export async function openArchive(
  here: ReadWorld,
  bytes: AsyncIterable<Buffer>,
  { most }: How = {},
): Promise<Opened> {
  const entries = readTar(bytes, most);
  const first = (await entries.next()).value as Entry | undefined;
  if (first?.name !== 'milaan.json') throw new BrokenArchive('it does not begin as an archive of a business');
  const head = readJson(first.content) as Head;
  // With several databases, the id decides which one the business goes to.
  const world = (Number.isSafeInteger(head.business) && here.cells?.of(head.business)) || here;
  await refuseHead(world, head);
  return { world, head, entries };
}

/** `unusable` is the hash of a password that nobody knows. */
type Stage = How & { schema: string; columns: Columns; unusable: string };

/** Reads the rows into the open stage, checks them there, and moves them into the real tables. */
export async function readThroughStage(
  tx: Transaction,
  { world, head, entries }: Opened,
  { schema, columns, plan, unusable }: Stage,
): Promise<Arrived> {
  const change = (table: string, row: Row) => adapt(world, head, { plan, unusable }, table, row);
  const { written, erasure_key } = await readTables(tx, world, { head, entries, columns, change });
  // The audit log's chain continues from its last row.
  await tx`
    insert into audit_heads (merchant_id, seq, hash)
    select merchant_id, seq, hash from audit_log where merchant_id = ${head.business} order by seq desc limit 1`;
  // An archive that this installation sealed kept every rule when it was written, so only others are checked.
  if (head.kind === 'leaving') await refuseStaged(tx, columns, written, world.clock.now());
  await leaveStage(tx, schema, tablesInOrder, head.kind);
  if (head.kind === 'inside') await bringErasureKey(tx, world, head, erasure_key);
  await settleIn(tx, world, head);
  return { head, written };
}

/** The limit is longer than any business name, version or migration. */
const headText = /^[^\0]{0,500}$/;

async function refuseHead({ sql }: ReadWorld, head: Head) {
  const { format: theirs, kind, version, schema, business, name } = head;
  if (theirs !== format)
    throw new StartError(`the archive has form ${theirs}, and this version reads form ${format}`);
  // Refuse any other kind: it would need no seal and leave nothing out.
  const isKind = kind === 'inside' || (kind === 'leaving' && shownName(String(name)) === name);
  const isOurs = isKind && Number.isInteger(business) && business > 0;
  if (business >= idsEnd)
    throw new BrokenArchive(`the archive has an implausibly large business (${business})`);
  if (!isOurs || ![version, schema, name].every(text => typeof text === 'string' && headText.test(text)))
    throw new BrokenArchive('its head is not one that this program writes');
  if (!(await knowsMigration(sql, schema)))
    throw new StartError(
      `the archive was written by version ${version} (${schema.slice(0, 4)}), which is newer: upgrade here first`,
    );
  const here = await selectHere(sql, business);
  if (here?.moved_at)
    throw new StartError(
      `business ${business} was moved away from here on ${here.moved_at.toISOString().slice(0, 10)}, and its rows are still here: undo the move with export-business --undo, or import it after they are removed`,
    );
  if (here) throw new StartError(`business ${business} is here already`);
}

/** Sets what belongs to this installation: the plan, a missing webhook secret, and R14's epoch. */
async function adapt(
  { sql, secrets }: ReadWorld,
  { business, kind }: Head,
  { plan, unusable }: { plan: string | undefined; unusable: string },
  table: string,
  row: Row,
): Promise<Row> {
  if (row['role'] === 'operator') throw new BrokenArchive('one of its people is an operator');
  if (table === 'users' && kind === 'leaving') return { ...row, password_hash: unusable };
  if (table !== 'merchants') return row;
  const named = plan ?? (kind === 'inside' ? String(row['plan']) : defaultPlan);
  if (!(await planExists(sql, named))) throw new StartError(`there is no plan "${named}" here: name another`);
  const sealed = secrets.seal(newWebhookSecret(), webhookSecretBinding(business));
  return {
    ...row,
    plan: named,
    moved_at: null,
    left_at: null,
    arrival_epoch: Number(row['arrival_epoch']) + 1,
    ...(kind === 'leaving' && { webhook_secret: sealed, unread_since: row['moved_at'] }),
    ...(kind === 'leaving' && { removal_began_at: null, word_asked_at: null }),
  };
}

/** Finishes the import after all rows: refuses what clashes here, and raises the sequences. */
async function settleIn(tx: Transaction, world: ReadWorld, { business, kind, name }: Head): Promise<void> {
  const now = world.clock.now();
  const known = new Set(world.banks.current().map(({ id }) => id));
  const unknown = (await selectBanksOf(tx, business)).filter(bank => !known.has(bank));
  if (unknown.length > 0)
    throw new StartError(
      `no entry here reads the mails of ${unknown.join(', ')}: its orders would never be paid; add one with BANKS_FILE`,
    );
  for (const address of await selectAddressesOf(tx, business))
    if (
      (await addressIsTaken(tx, business, address)) ||
      !(await takeName(tx, world, 'alert_address', address, business))
    )
      throw new StartError(`${address} belongs to another business here`);
  const people = await tx<{ email: string; role: string; language: Language | null }[]>`
    select email, role, language from users where merchant_id = ${business} order by role <> 'owner', email`;
  for (const { email } of people)
    if (!(await takeName(tx, world, 'person', email, business))) throw new StartError(taken['users_email']!);
  const settled = await countSettledElsewhere(tx, business);
  if (settled > 0)
    throw new StartError(`${settled} payments of it have settled something in another business here (R2)`);
  const drawn = tablesInOrder.flatMap(table =>
    Object.entries((ways[table] as Way).drawn ?? {}).map(([column, sequence]) => ({
      table,
      column,
      sequence,
    })),
  );
  for (const one of drawn)
    if (await isFarAhead(tx, business, one))
      throw new StartError(
        `the archive has an implausibly large ${one.table}.${one.column}; nothing was imported`,
      );
  for (const one of drawn) await liftSequence(tx, business, one);
  // Another cell may have the same bank accounts.
  await tx`update upi_accounts set same_as = ${world.cells ? 0 : null}::bigint where merchant_id = ${business}`;
  await unpark(tx, business, kind, now);
  const who = byOperator(world, business);
  const audited = { action: 'business.import', subject: name, notice: because('business_arrived') } as const;
  await recordAudit(tx, who, { ...audited, isMailed: false });
  for (const [place, { email, role, language }] of people.entries()) {
    const { moved, movedOwner } = textsIn(language ?? 'en').mails;
    const words = role === 'owner' && kind === 'leaving' ? movedOwner : moved;
    const letter = sealLetter(world, {
      merchantId: business,
      recipient: email,
      ...words({ link: `${world.baseUrl}/dashboard/sign-in` }),
    });
    await queueMail(tx, { ...letter, now, dueAt: later(now, place * mailsApart), usefulFor: movedFor });
  }
  await wake(tx);
}

/** Spread the mails: a thousand at once would delay everybody's password links. */
const mailsApart = 1 * second;
/** If SMTP is set up later than this, the people know about the move already. */
const movedFor = 3 * day;

/** Erased references are known only by hashes, which are valid only under the key that made them. */
async function bringErasureKey(
  tx: Transaction,
  { secrets }: ReadWorld,
  { business }: Head,
  sealed: string | undefined,
): Promise<void> {
  if (!(await hasMatches(tx, business))) return;
  if (sealed !== undefined) await insertErasureKey(tx, sealed);
  const here = await selectErasureKey(tx);
  const [theirs, ours] = [sealed, here].map(key => key && secrets.open(key, erasureKeyBinding()));
  if (theirs !== ours || ours === undefined)
    throw new StartError(
      'references of it were erased under another key than the one here: their payments would count twice (R2)',
    );
}

const taken: Record<string, string> = {
  merchants_pkey: 'it is here already',
  users_email: 'one of its people has an account here already',
  mailboxes_address: 'its mailbox is connected to another business here',
  forward_addresses_address: 'its forwarding address is in use here',
  extra_alert_addresses_confirmed: 'one of its alert addresses belongs to another business here',
  counted_signatures_pkey: 'a mail of its bank was counted here for another business (R2)',
};

export function inWords(raw: unknown, { business }: Head): unknown {
  const error = faultOfFile(raw, 'rows');
  if (error instanceof BrokenArchive || error instanceof StartError) return error;
  const { constraint = '', detail = '' } = error as { constraint?: string; detail?: string };
  if (!isTaken(error)) return error;
  return new StartError(`business ${business} cannot arrive: ${taken[constraint] ?? constraint}. ${detail}`);
}
