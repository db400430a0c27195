import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { listForwardRequests } from '../../../src/alerts/forwarding/queries/forwarding.ts';
import { DnsError } from '../../../src/base/network/dns.ts';
import { addForwardingShop, openForwardingStage } from '../../support/forwarding-stage.ts';
import { type Confirmation, googleConfirmation, handMail } from '../../support/mail-provider.ts';
import { mailKey, signMail } from '../../support/signed-mail.ts';
import { prepare, use } from '../../support/use.ts';

describe('a provider’s question whether mail may be forwarded', () => {
  const stage = use(openForwardingStage);
  prepare(async () => {
    stage.world.dns.texts.set('1522905413783._domainkey.zoho.in', [mailKey(2048, 'zoho').record]);
    stage.world.dns.texts.set('s2048._domainkey.yahoo.com', [mailKey(2048, 'yahoo').record]);
  });

  const shown = (merchantId: number) => listForwardRequests(stage.world.sql, merchantId, new Date(0));

  /** The text that is shown after this mail. */
  async function ask(change: Partial<Confirmation> = {}, touch = (raw: Buffer) => raw) {
    const { merchantId, forwardTo } = await addForwardingShop(stage.world);
    const raw = touch(googleConfirmation({ to: forwardTo, ...change }));
    const { code } = await handMail(stage.port, { to: forwardTo, raw });
    return { code, found: await shown(merchantId), merchantId, forwardTo, raw };
  }

  test('a forwarding question is shown with its sender, its code and the link that agrees', async () => {
    const { code, found } = await ask();
    assert.equal(code, 250);
    assert.equal(found.length, 1);
    const { arrived_at: _, ...request } = found[0]!;
    assert.deepEqual(request, {
      asked_by: 'meera@gmail.example',
      provider: 'gmail',
      code: '123456789',
      link: 'https://mail-settings.google.com/mail/vf-%5BANGjdJ9allow%5D-yes',
    });
  });

  test('a forwarding question is recognized in every language', async () => {
    const subjects = [
      '(#987654) Gmail अग्रेषण पुष्टि - meera@gmail.example से मेल प्राप्त करें',
      '(#987654) Gmail の転送の確認 - meera@gmail.example からメールを受け取る',
      `=?UTF-8?B?${Buffer.from('(#987654) Bestätigung - meera@gmail.example').toString('base64')}?=`,
    ];
    for (const subject of subjects) {
      const { found } = await ask({ subject });
      assert.deepEqual([found[0]?.code, found[0]?.asked_by], ['987654', 'meera@gmail.example'], subject);
    }
  });

  test('Zoho’s forwarding question is shown with a link to Zoho’s hosts', async () => {
    const { merchantId, forwardTo } = await addForwardingShop(stage.world);
    const raw = signMail(
      [
        'From: Zoho Mail <noreply@zoho.in>',
        `To: ${forwardTo}`,
        'Subject: Confirm',
        `Date: ${new Date().toUTCString()}`,
        'MIME-Version: 1.0',
        'Content-Type: text/html; charset=utf-8',
      ],
      '<p>meera@zohomail.in wants this. <a href="https://www.zoho.com/mail/help/">Help</a> <a href="https://evil.example/zoho.in/aaaaaaaaaaaaaaaaaaaaaa">No</a> <a href="https://mail.zoho.in/mf?d=1&amp;key=3e0b8c5f7a914dd2a1c9">Yes</a></p>\r\n',
      { domain: 'zoho.in', selector: '1522905413783', key: mailKey(2048, 'zoho') },
    );
    assert.equal((await handMail(stage.port, { to: forwardTo, raw })).code, 250);
    const [found] = await shown(merchantId);
    assert.deepEqual(
      [found?.provider, found?.asked_by, found?.link],
      ['zoho', 'meera@zohomail.in', 'https://mail.zoho.in/mf?d=1&key=3e0b8c5f7a914dd2a1c9'],
    );
  });

  test('a question without the provider’s signature, or to another address, is not shown', async () => {
    const nothing = [
      await ask({}, raw => Buffer.from(raw.toString('latin1').replace('123456789', '123456780'), 'latin1')),
      await ask({}, raw => Buffer.from(raw.toString('latin1').replace(/^DKIM[^\r]*\r\n/, ''), 'latin1')),
      await ask({ domain: 'evil.example' }),
      await ask({ from: 'forwarding-noreply@google.com.evil.example' }),
      await ask({ from: 'someone@google.com' }),
      await ask({ to: 'alerts-00000000000000000000000000000000@alerts.milaan.example' }),
      await ask({ subject: 'no code here', body: 'nothing\r\n' }),
    ];
    for (const [at, { code, found }] of nothing.entries()) {
      assert.equal(code, 250, `mail ${at}`);
      assert.deepEqual(found, [], `mail ${at}`);
    }
  });

  test('a mail that a customer of the provider wrote is no forwarding question, though the provider signed it', async () => {
    const { merchantId, forwardTo } = await addForwardingShop(stage.world);
    await handMail(stage.port, { to: forwardTo, raw: googleConfirmation({ to: forwardTo }) });
    for (const customer of ['mail.forwarding.team', 'forwarding-noreply']) {
      const raw = signMail(
        [
          `From: Yahoo Mail <${customer}@yahoo.com>`,
          `To: ${forwardTo}`,
          'Subject: 665544 meera@gmail.example',
          `Date: ${new Date().toUTCString()}`,
          'MIME-Version: 1.0',
          'Content-Type: text/plain; charset=utf-8',
        ],
        'https://r.search.yahoo.com/RU=evil.example/RK=0123456789abcdef0123\r\n',
        { domain: 'yahoo.com', selector: 's2048', key: mailKey(2048, 'yahoo') },
      );
      assert.equal((await handMail(stage.port, { to: forwardTo, raw })).code, 250);
    }
    const found = await shown(merchantId);
    assert.deepEqual(
      found.map(({ provider, code }) => [provider, code]),
      [['gmail', '123456789']],
    );
  });

  test('only links to the provider are shown: no other hosts, user names or ports, and no link that declines', async () => {
    for (const link of [
      'https://mail-settings.google.com.evil.example/mail/vf-abc',
      'https://mail-settings.google.com@evil.example/mail/vf-abc',
      'https://mail-settings.google.com:8443/mail/vf-abc',
      'http://mail-settings.google.com/mail/vf-abc',
      'https://mail-settings.google.com/mail/uf-abc',
      'https://accounts.google.com/mail/vf-abc',
    ]) {
      const { found } = await ask({ body: `${link}\r\n` });
      assert.deepEqual([found[0]?.code, found[0]?.link], ['123456789', null], link);
    }
  });

  test('a question is judged again later if DNS does not answer for the provider’s key', async () => {
    const { dns } = stage.world;
    const lookup = dns.lookupText;
    dns.lookupText = async name => {
      throw new DnsError('temporary', `no answer for ${name}`);
    };
    const first = await ask();
    assert.deepEqual([first.code, first.found], [451, []]);
    dns.lookupText = lookup;
    assert.equal((await handMail(stage.port, { to: first.forwardTo, raw: first.raw })).code, 250);
    assert.equal((await shown(first.merchantId)).length, 1);
  });

  test('only the newest question of each sender is kept, and twenty at most', async () => {
    const { merchantId, forwardTo } = await addForwardingShop(stage.world);
    for (let asked = 0; asked < 25; asked++) {
      const raw = googleConfirmation({
        to: forwardTo,
        askedBy: `a${asked}@gmail.example`,
        code: String(100_000 + asked),
      });
      await handMail(stage.port, { to: forwardTo, raw });
    }
    await handMail(stage.port, {
      to: forwardTo,
      raw: googleConfirmation({ to: forwardTo, askedBy: 'a24@gmail.example', code: '555555' }),
    });
    const found = await shown(merchantId);
    assert.equal(found.length, 20);
    assert.equal(found[0]?.code, '555555');
    assert.equal(found.at(-1)?.asked_by, 'a5@gmail.example');
  });
});
