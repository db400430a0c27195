import { readFile, writeFile } from 'node:fs/promises';
import type { Bank } from '../alerts/banks/bank.ts';
import { rememberedKeys } from '../alerts/judging/remembered-keys.ts';
import { saveBankEntry } from '../alerts/judging/save-bank-entry.ts';
import { withMailLineEnds } from '../alerts/mail/with-mail-line-ends.ts';
import { draftEntry, type EntryDraft, wordingOf } from '../alerts/workshop/draft-entry.ts';
import { inspectAside } from '../alerts/workshop/inspect-aside.ts';
import type { InspectedMail } from '../alerts/workshop/inspect-mail.ts';
import { nameBank } from '../alerts/workshop/name-bank.ts';
import { sayRefusal } from '../alerts/workshop/say-refusal.ts';
import { type Trial, tryOut } from '../alerts/workshop/try-out.ts';
import { rupeesText } from '../base/money.ts';
import { StartError } from '../base/start-error.ts';
import type { World } from '../base/world.ts';
import { textsIn } from '../texts/languages.ts';
import { sayReason } from '../texts/say.ts';
import type { Command } from './command.ts';

const value = (meaning: string) => ({ meaning: `${meaning}, as the mail prints it` });

/** The workshop without a screen: the same verbs, the same refusals. */
export const draftBankCommand: Command = {
  needs: 'database',
  summary: 'draft a bank or a new wording from one mail, try it, and save or export it',
  file: 'the mail, saved as a file (.eml)',
  options: {
    amount: { ...value('the money that came in'), required: true },
    account: value('the credited account'),
    reference: value('the reference'),
    payer: value('the name of who paid'),
    'payer-vpa': value('the UPI ID of who paid'),
    'own-vpa': value('the UPI ID that received the money'),
    note: value('the remark of who paid'),
    customer: value('whom the bank greets, where it does so without "Dear" or "Hi"'),
    bank: { meaning: 'the id of a listed bank, where its sender does not tell' },
    name: { meaning: 'the name of a bank that is not listed' },
    sender: { meaning: 'the address from which the bank writes, where it is not the mail’s' },
    domain: { meaning: 'the signing domain, where the mail’s signature is broken' },
    save: { meaning: 'save it for this installation', flag: true },
    export: { meaning: 'write it as a bank file to this path' },
  },
  async run(world, options) {
    await world.banks.look(world);
    const mail = await readMail(world, options['file'] ?? '');
    const draft = draftFrom(world.banks.current(), mail, options);
    const trial = await tryOut(world, draft);
    tell(draft, trial);
    if (options['export'] !== undefined) {
      await writeFile(options['export'], `${JSON.stringify(draft.entry, null, 2)}\n`);
      console.log(`written to ${options['export']}`);
    }
    if (!trial.maySave) return 1;
    if (options['save'] !== undefined) {
      const by = { actor: 'operator', address: '', note: 'draft-bank' };
      const { held } = await world.sql.begin(tx => saveBankEntry(tx, world, draft.entry, by));
      console.log(`saved; ${held} held mail${held === 1 ? ' is' : 's are'} judged again`);
    }
    return 0;
  },
};

async function readMail(world: World, path: string): Promise<InspectedMail> {
  const raw = await readFile(path).catch((error: NodeJS.ErrnoException) => {
    throw new StartError(`${path} cannot be read (${error.code})`);
  });
  const seen = { arrivedAt: null, now: world.clock.now() };
  const tools = { banks: world.banks.current(), keys: rememberedKeys(world).ask };
  const mail = await inspectAside(tools, withMailLineEnds(raw), seen);
  if (mail === 'gave_up') throw new StartError(`${path} could not be taken apart in time`);
  if (mail.outcome === 'refused') throw new StartError(sayReason('en', mail.reason));
  return mail;
}

function draftFrom(known: readonly Bank[], mail: InspectedMail, options: Record<string, string>): EntryDraft {
  const text = (name: string) => options[name] ?? '';
  const id = mail.bankId ?? text('bank');
  if (id !== '' && !known.some(bank => bank.id === id)) throw new StartError(`there is no bank "${id}"`);
  const isNew = id === '' && text('name') !== '';
  const draft = draftEntry(known, mail, {
    marks: {
      amount: text('amount'),
      account: text('account'),
      reference: text('reference'),
      payer_name: text('payer'),
      payer_vpa: text('payer-vpa'),
      payee_vpa: text('own-vpa'),
      note: text('note'),
      customer: text('customer'),
    },
    bank: {
      id: isNew ? nameBank(known, text('name'), text('sender') || (mail.from ?? '')) : id,
      name: text('name'),
    },
    sender: text('sender'),
    signingDomain: text('domain'),
  });
  if (draft.outcome === 'refused') throw new StartError(sayRefusal(textsIn('en'), draft));
  return draft;
}

function tell(draft: EntryDraft, { fillings, stored, maySave }: Trial): void {
  const { entry, facts, pays } = draft;
  const { written } = wordingOf(draft);
  const { accountDigits, reference, payer } = facts;
  console.log(`reads      ${written.body}`);
  console.log(`subject    ${written.subjects[0]}`);
  for (const line of entry.openings ?? []) console.log(`in front   ${line}`);
  for (const one of [...(entry.senders ?? []), ...(entry.signing_domains ?? [])])
    console.log(`adds       ${one}`);
  console.log(
    `this mail  ₹${rupeesText(facts.amount)}, account ${accountDigits ?? '–'}, reference ${reference ?? '–'}, payer ${payer ?? '–'}${pays ? '' : '; pays no order'}`,
  );
  console.log(`tried on   ${fillings.tried} hostile fillings, ${fillings.moved.length} moved`);
  console.log(
    `           ${stored.tried} kept mails, ${stored.read.length} unreadable ones are read now, ${stored.spoiled.length} others would change`,
  );
  if (!maySave) console.log('it cannot be saved like this');
}
