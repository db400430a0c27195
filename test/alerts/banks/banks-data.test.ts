import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { findBank } from '../../../src/alerts/banks/bank.ts';
import { loadBanks } from '../../../src/alerts/banks/load-banks.ts';

const banks = loadBanks(null);

/** Addresses and domains that circulate in guessed lists and that no bank was ever seen to use. */
const guessed = [
  ...[
    'alerts@icicibank.com',
    'alerts@kotak.com',
    'alerts@sbi.co.in',
    'donotreply@sbi.co.in',
    'alerts@indusind.com',
  ],
  ...['alerts@federalbank.co.in', 'alerts@rblbank.com', 'alerts@canarabank.com', 'alerts@canarabank.in'],
  ...[
    'alerts@cityunionbank.com',
    'alerts@pnb.co.in',
    'alerts@iob.in',
    'alerts@ucobank.com',
    'alerts@idbi.co.in',
  ],
  ...[
    'alerts@unionbankofindia.bank.in',
    'alerts@unionbankofindia.bank',
    'alert@au.bank.in',
    'noreply@aubank.in',
  ],
  ...['alerts@bankofbaroda.com', 'alerts@bankofbaroda.co.in', 'alerts@bobmail.in', 'alerts@bobconnect.in'],
  ...[
    'pnbalerts@pnb.co.in',
    'alerts@bobcard.co.in',
    'noreply@sib.co.in',
    'alerts@csb.co.in',
    'noreply@fi.money',
  ],
  'alerts@indusind.bank.in',
];
const wrongDomains = [
  'icicibank.bank.in',
  'axisbank.bank.in',
  'idfcfirstbank.bank.in',
  'yesbank.bank.in',
  'aclmobile.net',
];

describe('the built-in banks', () => {
  it('trust only signing domains that a listed sender writes from', () => {
    for (const bank of banks) {
      const own = new Set(bank.senders.map(sender => sender.split('@')[1]));
      if (own.size === 0) continue;
      // Nobody has seen yet who signs a trial bank's mails; the workshop takes it from the first genuine mail.
      assert.deepEqual(new Set(bank.signingDomains), bank.trial ? new Set() : own, bank.id);
    }
  });

  it('list no address or domain that was only guessed', () => {
    for (const address of guessed) assert.equal(findBank(banks, address), null, address);
    for (const bank of banks)
      for (const domain of wrongDomains) assert.ok(!bank.signingDomains.includes(domain), domain);
  });

  it('are found by the exact address in any letter case, never by a part of it', () => {
    assert.equal(findBank(banks, 'BankAlerts@Kotak.bank.in')?.id, 'kotak');
    for (const odd of [
      'kotak.bank.in',
      'xbankalerts@kotak.bank.in',
      'bankalerts@kotak.bank.in.example.com',
      '',
    ])
      assert.equal(findBank(banks, odd), null, odd);
  });

  it('read any subject only while a wording is unconfirmed, and pay nothing for City Union or Bank of Baroda', () => {
    for (const bank of banks)
      for (const { channel, unconfirmed, written, id } of bank.templates)
        if (channel !== 'other' && written.subjects.includes('{any}'))
          assert.ok(unconfirmed, `${bank.id} ${id}`);
    const cityUnion = banks.find(bank => bank.id === 'city-union')!;
    assert.ok(cityUnion.templates.every(template => template.channel === 'other'));
    assert.deepEqual(banks.find(bank => bank.id === 'bank-of-baroda')!.senders, []);
  });

  it('say when each was last compared with its sources, as a date in the past', () => {
    for (const { id, checked } of banks) {
      assert.match(checked ?? '', /^202[6-9]-[01]\d-[0-3]\d$/, id);
      assert.ok(Date.parse(checked!) <= Date.now(), id);
    }
  });

  it('claim each sender once', () => {
    const senders = banks.flatMap(bank => bank.senders);
    assert.equal(new Set(senders).size, senders.length);
  });

  it('have only bounded repetitions, so that the time is linear in the length of a text', () => {
    for (const bank of banks)
      for (const template of bank.templates)
        for (const { source } of [
          ...template.body.flatMap(parts => parts.flatMap(part => ('pattern' in part ? [part.pattern] : []))),
          ...(template.rows ?? []).flatMap(row => [row.pattern, row.value]),
          template.subject,
          ...template.guards.map(guard => guard.pattern),
          ...bank.greetings,
          ...bank.openings,
        ]) {
          const bare = source.replace(/\\./g, '').replace(/\[[^\]]*\]/g, 'c');
          assert.doesNotMatch(bare, /[*+]|\{\d*,\}/, `${bank.id} ${template.id}`);
          assert.ok(source.length < 4_000, `${bank.id} ${template.id}`);
        }
  });

  it('name the MIME shape of the two banks that do not sign it, and of no other', () => {
    const shaped = banks.filter(bank => bank.unsignedMime !== null).map(bank => bank.id);
    assert.deepEqual(shaped.sort(), ['icici', 'kotak']);
    assert.deepEqual(
      banks.filter(bank => bank.dateMayBeUnsigned).map(bank => bank.id),
      ['icici'],
    );
  });
});
