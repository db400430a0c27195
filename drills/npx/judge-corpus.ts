import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { alertCorpus } from '../../test/support/alert-corpus.ts';
import type { Stage } from '../play-drill.ts';

/** The installed `@milaan/alerts` judges every sample, on the Node that came with `milaan`, and its types are those of its use. */
export function judgeCorpus(home: string, see: Stage['see']): void {
  const { credits, others } = alertCorpus();
  const samples = [...credits, ...others].map(({ raw, bank, addresses, arrivedAt, dns }) => {
    const { id, senders, signingDomains, trial } = bank;
    return {
      raw: raw.toString('base64'),
      bank: { id, senders, signingDomains, trial },
      addresses,
      arrivedAt,
      dns,
    };
  });
  writeFileSync(join(home, 'samples.json'), JSON.stringify(samples));
  writeFileSync(join(home, 'judge.mjs'), readFileSync(new URL('judge.mjs', import.meta.url)));
  const said = execFileSync(join(home, 'node_modules/.bin/node'), ['judge.mjs'], {
    cwd: home,
    encoding: 'utf8',
  });
  const { banks, verdicts } = JSON.parse(said) as { banks: number; verdicts: [string, number | null][] };
  const right = credits.filter(({ bank, amount }, at) => {
    const [verdict, paise] = verdicts[at] ?? [];
    return verdict === (bank.closed === null ? 'credit' : 'not_a_credit') && paise === amount;
  });
  const wrong = verdicts.slice(credits.length).filter(([verdict]) => verdict === 'credit');
  see(
    `@milaan/alerts brings ${banks} banks and judges ${verdicts.length} samples: ${right.length} of ${credits.length} sums right, ${wrong.length} of ${others.length} others taken for money`,
    right.length === credits.length && wrong.length === 0 && verdicts.length === samples.length,
  );
  writeFileSync(
    join(home, 'typed.mts'),
    `import { builtInBanks, judgeMail, keysFrom } from '@milaan/alerts';
const judgement = await judgeMail(new Uint8Array(), { banks: builtInBanks(), addresses: [], arrivedAt: new Date(), keys: keysFrom(async () => []) });
if (judgement.verdict === 'credit') { const paise: number = judgement.facts.amount; console.log(paise, judgement.recipient.length); }
// @ts-expect-error There is no such verdict.
if (judgement.verdict === 'paid') console.log(judgement);
`,
  );
  const flags = ['--noEmit', '--strict', '--skipLibCheck', '--target', 'es2022', '--module', 'nodenext'];
  let problem = '';
  try {
    execFileSync(
      resolve('node_modules/.bin/tsc'),
      [...flags, '--types', 'node', '--typeRoots', resolve('node_modules/@types'), 'typed.mts'],
      { cwd: home, encoding: 'utf8' },
    );
  } catch (error) {
    problem = String((error as { stdout?: string }).stdout);
  }
  see('its types tell a credit from everything else', problem === '', problem);
}
