import assert from 'node:assert/strict';
import test from 'node:test';
import { loadBanks } from '../../../src/alerts/banks/load-banks.ts';
import { sentence, testBank } from '../../support/alert-banks.ts';
import { bankMail, judgeBankMail, kotak } from '../../support/bank-mail.ts';
import { altered, judge, linesWith, signedAlert } from '../../support/genuine-alert.ts';

test('Kotak’s mail has the same reading or none, whatever a relay writes over its unsigned MIME headers', async () => {
  const html = `<html><body style="a">${kotak.text}</body></html>`;
  const types = [
    'text/html; charset=utf-8',
    'text/html; charset=iso-8859-1',
    'text/html; charset=utf-7',
  ].concat(
    ['text/plain', 'message/rfc822', 'multipart/related; boundary=b0', 'multipart/alternative; boundary=b'],
    ['multipart/mixed; boundary=b0', 'multipart/alternative; boundary=b0'],
  );
  let read = 0;
  for (const build of [{ html, single: true }, { html }, { html, container: 'multipart/mixed' }])
    for (const type of types)
      for (const encoding of ['7bit', '8bit', 'quoted-printable', 'base64', null]) {
        const [head, ...body] = bankMail(kotak, build).toString('latin1').split('\r\n\r\n');
        const kept = head!.split('\r\n').filter(line => !line.startsWith('Content-'));
        const lines = [...kept, `Content-Type: ${type}`];
        if (encoding !== null) lines.push(`Content-Transfer-Encoding: ${encoding}`);
        const raw = Buffer.from([lines.join('\r\n'), ...body].join('\r\n\r\n'), 'latin1');
        const { verdict, facts } = await judgeBankMail(raw);
        if (verdict !== 'credit') continue;
        read++;
        const said = [facts?.amount, facts?.reference, facts?.payer, facts?.accountDigits];
        assert.deepEqual(said, [50037, '615300112233', 'MEERA IYER', '4321'], `${type} ${encoding}`);
      }
  assert.ok(read > 0);
});

test('parts relabelled as one plain text give no credit, also with text before the first boundary', async () => {
  const html = Buffer.from('<p>Dear Customer, Rs.500.37 is debited from your account XX4321.</p>').toString(
    'base64',
  );
  const plain = `Dear Customer,\r\n\r\n${sentence.slice(15)}`;
  const unsignedMime = loadBanks(null).find(({ id }) => id === 'kotak')!.unsignedMime;
  for (const lead of ['', '\r\n', 'This is a multi-part message in MIME format.\r\n']) {
    const body = `${lead}--b\r\nContent-Type: text/plain; charset=utf-8\r\n\r\n${plain}\r\n--b\r\nContent-Type: text/html; charset=utf-8\r\nContent-Transfer-Encoding: base64\r\n\r\n${html}\r\n--b--\r\n`;
    const lines = linesWith({ 'Content-Type': 'multipart/alternative; boundary=b' });
    const raw = signedAlert(lines, body, { names: ['from', 'to', 'cc', 'subject', 'date'] });
    const relabelled = altered(raw, 'multipart/alternative; boundary=b', 'text/plain; charset=utf-8');
    for (const mail of [raw, relabelled])
      assert.equal((await judge(mail, { bank: testBank({ unsignedMime }) })).verdict, 'unreadable', lead);
  }
});
