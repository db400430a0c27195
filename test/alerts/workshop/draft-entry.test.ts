import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { compareReadings } from '../../../src/alerts/reading/compare-readings.ts';
import { type Asked, draftEntry, type EntryDraft } from '../../../src/alerts/workshop/draft-entry.ts';
import { tryFillings } from '../../../src/alerts/workshop/try-out.ts';
import { bankMail, canara, hdfc, kotak, slice } from '../../support/bank-mail.ts';
import { noon, noonSeconds } from '../../support/genuine-alert.ts';
import { signatureLine } from '../../support/signed-mail.ts';
import { allBanks, another, inspected, samples, without } from './sample-mails.ts';

function asked(chosen: Asked['chosen'], more: Partial<Asked> = {}): Asked {
  return { chosen, bank: { id: 'new-bank', name: 'New Bank' }, sender: '', signingDomain: '', ...more };
}

function drafted(draft: ReturnType<typeof draftEntry>): EntryDraft {
  assert.equal(draft.outcome, 'drafted', JSON.stringify(draft));
  return draft as EntryDraft;
}

const clock = { now: () => noon };

describe('an entry drafted from one mail and the values marked in it', () => {
  for (const { alert, chosen } of samples) {
    it(`a drafted entry reads the next payment at ${alert.bank}, whose file is removed, with its own facts`, async () => {
      const banks = without(alert.bank);
      const mail = await inspected(bankMail(alert), banks);
      const draft = drafted(draftEntry(banks, mail, asked(chosen)));
      assert.deepEqual(
        [draft.facts.amount, draft.facts.accountDigits, draft.facts.reference, draft.pays],
        [50_037, '4321', '615300112233', true],
      );
      const bank = draft.banks.find(({ id }) => id === 'new-bank')!;
      const { subject, html, text } = await inspected(bankMail(another(alert)), banks);
      const reading = compareReadings(bank, subject, { outcome: 'read', html, text });
      assert.equal(
        reading.outcome,
        'credit',
        `${draft.entry.templates[0]!.body}\n${JSON.stringify(reading)}`,
      );
      const { amount, accountDigits, reference } = (
        reading as typeof reading & { facts: EntryDraft['facts'] }
      ).facts;
      assert.deepEqual([amount, accountDigits, reference], [10_004_208, '9876', '998877665544']);
    });

    it(`a payer’s text cannot change how a drafted entry reads ${alert.bank}`, async () => {
      const banks = without(alert.bank);
      const draft = drafted(draftEntry(banks, await inspected(bankMail(alert), banks), asked(chosen)));
      const bank = draft.banks.find(({ id }) => id === 'new-bank')!;
      const { tried, moved } = await tryFillings(clock, bank, bank.templates.at(-1)!);
      assert.ok(tried > 50, String(tried));
      assert.deepEqual(moved, []);
    });
  }

  it('a draft has sender and signing domain from a valid signature, and what the signature leaves open', async () => {
    const banks = without('kotak');
    const { chosen } = samples.find(({ alert }) => alert === kotak)!;
    const { entry } = drafted(draftEntry(banks, await inspected(bankMail(kotak), banks), asked(chosen)));
    const kotakFile = allBanks.find(({ id }) => id === 'kotak')!;
    assert.deepEqual(entry.senders, [kotakFile.senders[0]]);
    assert.deepEqual(entry.signing_domains, [kotakFile.signingDomains[0]]);
    assert.deepEqual(entry.unsigned_mime, [{ content_type: 'multipart/alternative', parts: ['text/html'] }]);
    assert.equal(entry.templates[0]!.unconfirmed, undefined);
  });

  it('a draft from a copy with a broken signature asks for the signing domain, and stays unconfirmed', async () => {
    const banks = without('canara');
    const mail = await inspected(bankMail(canara), banks, false);
    assert.equal(mail.signedBy, null);
    const { chosen } = samples.find(({ alert }) => alert === canara)!;
    assert.deepEqual(draftEntry(banks, mail, asked(chosen)), {
      outcome: 'refused',
      code: 'domain_missing',
    });
    const { entry } = drafted(draftEntry(banks, mail, asked(chosen, { signingDomain: 'canarabank.com' })));
    assert.equal(entry.templates[0]!.unconfirmed, true);
  });

  it('a draft adds only what a known bank lacks', async () => {
    const without = allBanks.map(bank => (bank.id === 'kotak' ? { ...bank, templates: [] } : bank));
    const { chosen } = samples.find(({ alert }) => alert === kotak)!;
    const mail = await inspected(bankMail(kotak), without);
    const { entry } = drafted(draftEntry(without, mail, asked(chosen, { bank: { id: 'kotak', name: '' } })));
    assert.deepEqual(Object.keys(entry), ['id', 'templates']);
  });

  it('a draft uses the bank’s listed signer, not the carrier’s signature above it', async () => {
    const bank = allBanks.find(({ id }) => id === 'canara')!;
    const banks = allBanks.map(one =>
      one === bank ? { ...bank, senders: ['a@elsewhere.in'], templates: [] } : one,
    );
    const [, ...lines] = bankMail(canara)
      .toString('latin1')
      .replace(bank.senders[0]!, 'a@elsewhere.in')
      .split(/\r\n(?![ \t])/);
    const end = lines.indexOf('');
    const [head, body] = [lines.slice(0, end), lines.slice(end + 1).join('\r\n')];
    const names = ['from', 'to', 'subject', 'date', 'mime-version', 'content-type'];
    const signers = ['slice.bank.in', bank.signingDomains[0]!].map(domain =>
      signatureLine(head, body, { domain, names, tags: [`t=${noonSeconds - 5}`] }),
    );
    const raw = Buffer.from([...signers, ...head, '', body].join('\r\n'), 'latin1');
    const mail = await inspected(raw, banks);
    assert.deepEqual(
      mail.signers.map(({ isValid }) => isValid),
      [true, true],
    );
    assert.equal(mail.signedBy, bank.signingDomains[0]);
  });

  it('a draft of a known wording below a new line is that line, not a second template', async () => {
    const html = `<p>Dear Customer,</p><p>A new word of the bank.</p><p>${canara.text.replace('Dear Customer, ', '')}</p>`;
    const mail = await inspected(bankMail(canara, { html }));
    const { chosen } = samples.find(({ alert }) => alert === canara)!;
    const { entry } = drafted(
      draftEntry(allBanks, mail, asked(chosen, { bank: { id: 'canara', name: '' } })),
    );
    assert.deepEqual(entry, { id: 'canara', templates: [], openings: ['A new word of the bank.'] });
  });

  it('a draft lists the lines between greeting and statement, with the greeted name as a slot', async () => {
    const banks = without('slice');
    const { chosen } = samples.find(({ alert }) => alert === slice)!;
    const html = `<p>Good news, Asha Rao, from your neighbours</p><p>${slice.text.replace('Hi Asha, ', '')}</p>`;
    const mail = await inspected(bankMail(slice, { html }), banks);
    const { entry } = drafted(draftEntry(banks, mail, asked({ ...chosen, customer: 'Asha Rao' })));
    assert.deepEqual(entry.openings, ['Good news, {customer}, from your neighbours']);
  });

  it('a draft does not guess whose number or UPI ID is in the sentence', async () => {
    const banks = without('hdfc');
    const mail = await inspected(bankMail(hdfc), banks);
    const { chosen } = samples[0]!;
    const refusal = (left: keyof typeof chosen) => {
      const draft = draftEntry(banks, mail, asked({ ...chosen, [left]: '' }));
      return draft.outcome === 'refused' && draft.code === 'unmarked' ? draft.name : draft;
    };
    assert.equal(refusal('payer_vpa'), 'payer_vpa');
    const axis = samples.find(({ alert }) => alert.bank === 'axis')!;
    const other = await inspected(bankMail(axis.alert), without('axis'));
    const draft = draftEntry(without('axis'), other, asked({ ...axis.chosen, account: '', reference: '' }));
    assert.ok(draft.outcome === 'refused' && draft.code === 'unmarked', JSON.stringify(draft));
  });

  it('a draft is refused with a reason for a value that is invalid or not in the mail', async () => {
    const mail = await inspected(bankMail(hdfc), without('hdfc'));
    const code = (chosen: Asked['chosen']) => {
      const draft = draftEntry(without('hdfc'), mail, asked(chosen));
      return draft.outcome === 'refused' ? draft.code : draft.outcome;
    };
    assert.equal(code({}), 'mark_missing');
    assert.equal(code({ amount: '77.00' }), 'mark_not_found');
    assert.equal(code({ amount: 'MEERA' }), 'mark_odd');
  });

  it('a draft is refused if the balance was marked as the amount', async () => {
    const { chosen } = samples.find(({ alert }) => alert === slice)!;
    const mail = await inspected(bankMail(slice), without('slice'));
    const draft = draftEntry(without('slice'), mail, asked({ ...chosen, amount: '3,571.23' }));
    assert.deepEqual(draft, { outcome: 'refused', code: 'amount_is_balance' });
  });

  it('a draft is refused if a payer could write before the amount, or no word says that money came', async () => {
    const code = async (text: string, chosen: Asked['chosen']) => {
      const mail = await inspected(
        bankMail(canara, { html: `<p>Dear Customer,</p><p>${text}</p>` }),
        without('canara'),
      );
      const draft = draftEntry(without('canara'), mail, asked(chosen));
      return draft.outcome === 'refused' ? draft.code : draft.outcome;
    };
    const chosen = { amount: '5.00', payer_name: 'MEERA IYER' };
    assert.equal(
      await code('MEERA IYER has sent you Rs. 5.00, received just now', chosen),
      'payer_before_amount',
    );
    const rows =
      '<table><tr><td>Sender</td><td>MEERA IYER</td></tr><tr><td>Amount</td><td>Rs. 5.00</td></tr>';
    assert.equal(
      await code(`Money was credited to your account:${rows}</table>`, chosen),
      'payer_before_amount',
    );
    assert.equal(await code('Rs. 5.00 moved to your account by MEERA IYER today', chosen), 'no_credit_words');
    assert.equal(await code('Rs. 5.00 MEERA IYER received', chosen), 'not_anchored');
  });
});
