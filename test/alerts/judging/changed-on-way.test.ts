import assert from 'node:assert/strict';
import { test } from 'node:test';
import { selectChanged } from '../../../src/alerts/judging/queries/ways.ts';
import { storeMail } from '../../../src/alerts/judging/store-mail.ts';
import { minute } from '../../../src/base/clock.ts';
import { sayNotice, sayReason } from '../../../src/texts/say.ts';
import { connectedMailbox } from '../../support/busy-shop.ts';
import { doubtedShop, newKey } from '../../support/doubted-shop.ts';
import { altered, judge, linesWith, signedAlert } from '../../support/genuine-alert.ts';
import { quotedPrintable } from '../../support/signed-mail.ts';

const shop = doubtedShop();

const why = async (raw: Buffer) => {
  const { verdict, reason } = await judge(raw);
  assert.equal(verdict, 'forged');
  return sayReason('en', reason);
};

test('the verdict names what was changed after signing: a word in the subject, a footer, a banner', async () => {
  const genuine = signedAlert();
  const subject = (to: string) => altered(genuine, 'Subject: Account update', `Subject: ${to}`);
  assert.match(
    await why(subject('[EXTERNAL] Account update')),
    /Test Bank signed this mail, and it was changed.*“\[EXTERNAL\]” was added to its subject/,
  );
  assert.match(await why(subject('***SPAM*** [Ext] Account update')), /“\*\*\*SPAM\*\*\* \[Ext\]”/);
  assert.match(await why(subject('Account update (checked)')), /“\(checked\)” was added to its subject/);
  const footer = Buffer.concat([genuine, Buffer.from('-- \r\nScanned by MailGuard\r\n')]);
  assert.match(await why(footer), /“-- Scanned by MailGuard” was added to its text/);
  const banner = altered(genuine, '\r\n\r\n', '\r\n\r\nCAUTION: mail from outside\r\n');
  assert.match(await why(banner), /“CAUTION: mail from outside” was added to its text/);
  assert.match(await why(altered(footer, 'Subject: ', 'Subject: [E] ')), /“\[E\]”.*text was changed too/);
  assert.match(await why(altered(genuine, 'is credited', 'was credited')), /body of the mail was changed/);
});

test('a mail is not called the bank’s if no key of the bank signed it', async () => {
  const { reason } = await judge(
    altered(signedAlert(undefined, undefined, { key: newKey }), 'is credited', 'was credited'),
  );
  assert.equal(reason.code, 'body_changed');
});

test('a changed mail to somebody else does not describe our delivery path', async () => {
  const theirs = signedAlert(linesWith({ To: 'other@else.in' }));
  const { reason } = await judge(altered(theirs, 'Subject: ', 'Subject: [EXTERNAL] '));
  assert.equal(reason.code, 'signature_invalid');
});

test('the owner is notified once, at the first changed mail, and the next proven mail clears it', async () => {
  const { sql, clock } = shop.api.world;
  const { merchantId } = shop.merchant;
  shop.publish('s1', newKey);
  await connectedMailbox(shop.api.world, merchantId);
  await sql`update mailbox_states set last_alert_at = null where merchant_id = ${merchantId}`;
  const notices = async () =>
    (
      await sql`select kind, facts from notices where merchant_id = ${merchantId} and kind = 'mail_changed'`
    ).map(row => sayNotice('en', row as never));
  const lastAlert = async () =>
    (await sql`select last_alert_at from mailbox_states where merchant_id = ${merchantId}`)[0]![
      'last_alert_at'
    ];
  const { readRaw } = await import('../../support/read-raw.ts');
  const genuine = async () => {
    const id = await shop.mail(3, { key: newKey });
    const raw = (await readRaw(sql, merchantId, id))!;
    await sql`delete from alerts where alert_id = ${id}`;
    return raw;
  };
  const arrive = async (raw: Buffer) => {
    clock.advance(minute);
    await sql.begin(tx => storeMail(tx, { merchantId, raw, arrivedAt: clock.now(), foundIn: 'INBOX/1/7' }));
    await shop.judge();
    await shop.judging.figures.flush();
  };
  for (let n = 0; n < 3; n++) await arrive(altered(await genuine(), 'Subject: ', 'Subject: [EXTERNAL] '));
  assert.equal(await lastAlert(), null, 'what is not proven is no alert');
  const notified = await notices();
  assert.equal(notified.length, 1);
  assert.match(
    notified[0]!.text,
    /A mail of Test Bank was changed on its way to us.*“\[EXTERNAL\]”.*gateway/s,
  );
  assert.equal((await selectChanged(sql, merchantId, 'mailbox', null))?.count, 3);
  assert.equal(await selectChanged(sql, merchantId, 'forwarding', null), null);
  await arrive(await genuine());
  assert.deepEqual(await lastAlert(), clock.now());
  assert.equal(await selectChanged(sql, merchantId, 'mailbox', await lastAlert()), null);
  await arrive(altered(await genuine(), 'Subject: ', 'Subject: [EXTERNAL] '));
  assert.equal((await notices()).length, 1, 'not twice in a day');
});

test('a changed quoted-printable body is called changed, and no part of it is quoted', async () => {
  const raw = signedAlert(
    linesWith({ 'Content-Transfer-Encoding': 'quoted-printable' }),
    `${quotedPrintable('Dear Customer, ₹ 5 came.')}\r\n`,
  );
  assert.match(await why(altered(raw, 'came', 'went')), /The body of the mail was changed/);
});
