import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { after, before, test } from 'node:test';
import { buildAlerts } from '../../scripts/build-alerts.ts';
import { writePackage } from '../../scripts/build-medusa.ts';
import type * as Library from '../../sdk/alerts/src/alerts.ts';
import { judgeMail } from '../../src/alerts/judging/judge-mail.ts';
import { alertCorpus } from '../support/alert-corpus.ts';
import { zone } from '../support/signed-mail.ts';

let folder: string;
let library: typeof Library;
let manifest: { dependencies: Record<string, string>; exports: { '.': { types: string } } };

/** The package as it is published, below node_modules, where its dependencies are found. */
before(async () => {
  const cache = resolve('node_modules/.cache');
  mkdirSync(cache, { recursive: true });
  folder = mkdtempSync(join(cache, 'milaan-alerts-'));
  const files = await buildAlerts();
  manifest = JSON.parse(files['package.json'] ?? '') as typeof manifest;
  assert.ok(manifest.exports['.'].types.replace('./', '') in files, 'its types are packed');
  writePackage(folder, files);
  library = (await import(join(folder, 'dist/alerts.js'))) as typeof Library;
});
after(() => rmSync(folder, { recursive: true, force: true }));

test('the packed library judges every sample as the service does', async () => {
  const { credits, others } = alertCorpus();
  const verdicts = new Map<string, number>();
  for (const { name, raw, bank, addresses, arrivedAt, dns } of [...credits, ...others]) {
    const keys = library.keysFrom(async asked => [[dns[asked] ?? assert.fail(asked)]]);
    const packed = await library.judgeMail(new Uint8Array(raw), {
      banks: [bank],
      addresses,
      arrivedAt,
      keys,
      now: arrivedAt,
    });
    const own = await judgeMail(raw, {
      banks: [bank],
      addresses,
      arrivedAt,
      now: arrivedAt,
      keys: zone(dns),
    });
    assert.deepEqual(packed, own, name);
    verdicts.set(packed.verdict, (verdicts.get(packed.verdict) ?? 0) + 1);
  }
  assert.ok((verdicts.get('credit') ?? 0) > 20 && (verdicts.get('not_a_credit') ?? 0) > 20);
});

test('the library has the service’s banks, and one changed byte is a forgery', async () => {
  const banks = library.builtInBanks();
  assert.ok(banks.length > 30);
  const sample = alertCorpus().credits.find(one => one.bank.id === 'hdfc')!;
  const forged = Buffer.from(sample.raw.toString('latin1').replace('1249.37', '9249.37'), 'latin1');
  const judgement = await library.judgeMail(forged, {
    banks,
    addresses: sample.addresses,
    arrivedAt: sample.arrivedAt,
    now: sample.arrivedAt,
    keys: library.keysFrom(async name => [[sample.dns[name] ?? '']]),
  });
  assert.equal(judgement.verdict, 'forged');
});

test('a missing key is a final answer, and a failing resolver is a temporary one', async () => {
  const failing = (code: string) =>
    library.keysFrom(() => Promise.reject(Object.assign(new Error(code), { code })));
  assert.deepEqual(await failing('ENOTFOUND')('a', 'bank'), { kind: 'not_found' });
  assert.deepEqual(await failing('ESERVFAIL')('a', 'bank'), { kind: 'temporary' });
});

test('the library imports only what judges a mail: no database, server or other program', () => {
  assert.deepEqual(Object.keys(manifest.dependencies), ['htmlparser2', 'tldts']);
});
