import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { banksPage } from '../../../scripts/banks-page.ts';
import { withServices } from '../../../scripts/services-table.ts';
import { supportOf } from '../../../src/alerts/banks/bank-support.ts';
import { loadBanks } from '../../../src/alerts/banks/load-banks.ts';

const banks = loadBanks(null);
const page = banksPage(banks);

test('the page of banks matches the bank files: after a change, `npm run docs`', () => {
  assert.equal(readFileSync('docs/banks.md', 'utf8'), page);
});

test('the table of mail services in docs/mailboxes.md matches the program: after a change, `npm run docs`', () => {
  const mailboxes = readFileSync('docs/mailboxes.md', 'utf8');
  assert.equal(withServices(mailboxes), mailboxes);
  assert.match(mailboxes, /\| Outlook\.com, Hotmail, Microsoft 365 +\| by forwarding only +\|/);
});

test('every bank is on the page once, under its own heading', () => {
  const headings = {
    confirmed: 'Confirmed',
    unconfirmed: 'Not confirmed yet: try one rupee',
    cannot: 'Cannot be read',
    unknown: 'Not known yet',
    closed: 'Closed',
  };
  const sections = new Map(page.split(/^## /m).map(text => [text.split('\n')[0], text.split('\n')]));
  for (const bank of banks) {
    const places = [...sections]
      .filter(([, lines]) =>
        lines.some(line => /^(?:\| |- )/.test(line) && line.slice(2).startsWith(bank.name)),
      )
      .map(([heading]) => heading);
    assert.deepEqual(places, [headings[supportOf(bank)]], bank.id);
  }
});

test('the page of banks is the first link of the README and of the documentation’s overview', () => {
  const firstLink = (file: string) => /\]\(([^)]+)\)/.exec(readFileSync(file, 'utf8'))?.[1];
  assert.equal(firstLink('README.md'), 'docs/banks.md');
  assert.equal(firstLink('docs/README.md'), 'banks.md');
});
