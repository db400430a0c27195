import { readFile } from 'node:fs/promises';
import { builtInBanks, judgeMail, keysFrom } from '@milaan/alerts';

// What somebody would write who has nothing but the package: samples in, verdicts out.
const samples = JSON.parse(await readFile('samples.json', 'utf8'));
const own = builtInBanks();
const verdicts = [];
for (const { raw, bank, addresses, arrivedAt, dns } of samples) {
  const known = own.find(one => one.id === bank.id);
  const banks = [{ ...known, ...bank }];
  const keys = keysFrom(async name => [[dns[name]]]);
  const at = new Date(arrivedAt);
  const judgement = await judgeMail(Buffer.from(raw, 'base64'), {
    banks,
    addresses,
    arrivedAt: at,
    keys,
    now: at,
  });
  verdicts.push([judgement.verdict, judgement.facts?.amount ?? null]);
}
console.log(JSON.stringify({ banks: own.length, verdicts }));
