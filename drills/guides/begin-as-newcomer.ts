import { mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { waitFor } from '../../test/support/wait-for.ts';
import type { Stage } from '../play-drill.ts';
import { blocks, openShell, ready, root } from './typing.ts';

/** README's first command by a user with an empty home, then the quick start to its end, and the clients. */
export async function beginAsNewcomer(stage: Stage): Promise<void> {
  const { folder, onEnd, see } = stage;
  const sources = join(folder, 'sources');
  const home = join(folder, 'home');
  for (const made of [sources, home]) mkdirSync(made);
  const shell = openShell(stage);
  await shell.type(`git -C ${root} archive HEAD | tar x -C ${sources}`);
  const [first = ''] = blocks('README.md')[0]!.split('\n');
  const [installs = '', starts = ''] = first.replace(/#.*/, '').split('&&');
  see('README begins with npm ci and npm start', /npm ci/.test(installs) && /npm start/.test(starts));
  see(
    'as the quick start does',
    blocks('docs/quick-start.md')[0]?.trim() === first.replace(/#.*/, '').trim(),
  );
  await shell.step('the packages come', `cd ${sources} && ${installs}`);
  // npm's cache belongs to root; from here on the user has nothing.
  const user = 'setpriv --reuid=nobody --regid=nogroup --clear-groups --no-new-privs';
  await shell.type(`chown -R nobody:nogroup ${sources} ${home}`);
  const taken = await fetch('http://127.0.0.1:8080').then(
    () => true,
    () => false,
  );
  const port = taken ? 'PORT=0' : '';
  await shell.type(
    `cd ${sources}; setsid ${user} env -i HOME=${home} PATH=$PATH ${port} sh -c '${starts}' > ${folder}/said 2>&1 < /dev/null & echo $! > ${folder}/sandbox.pid`,
  );
  onEnd(() => shell.type(`kill -TERM -- -$(cat ${folder}/sandbox.pid)`));
  type Facts = { base_url: string; api_key: string; shop_url: string };
  const facts = await waitFor('the file of the sandbox', () => {
    try {
      return JSON.parse(readFileSync(join(sources, '.milaan/sandbox.json'), 'utf8')) as Facts;
    } catch {
      return null;
    }
  });
  await ready(Number(new URL(facts.base_url).port));
  see(
    'the sandbox starts with nothing to configure',
    /ready; stop with/.test(readFileSync(`${folder}/said`, 'utf8')),
  );

  const shop = {
    MILAAN_URL: facts.base_url,
    MILAAN_API_KEY: facts.api_key,
    SHOP_URL: facts.shop_url,
  };
  const [, , create = '', , pay = '', look = ''] = blocks('docs/quick-start.md');
  const made = openShell(stage, shop);
  const order = await made.step('quick start: an order is created', create, /"payable_amount":499\.\d/);
  const paying = openShell(stage, { ...shop, ORDER_ID: /ML-\d{10}/.exec(order)?.[0] ?? '' });
  await paying.step('it is paid', pay, /"verdict":"paid"/);
  await paying.step('and says so', look, /"status":"paid"/);
  await made.step('README: its call creates an order', blocks('README.md')[1]!, /"status":"pending"/);
  const waits = blocks('docs/sandbox.md')[0]!.replace('npm start &', 'true');
  await made.step('sandbox.md: a job waits for it', `cd ${sources}; ${waits}`, /ready/);
  const installing = blocks('docs/integration.md')[1]!.replaceAll('{base_url}', facts.base_url);
  await made.step('integration.md: it serves its clients', `cd $(mktemp -d); ${installing}ls`, /Milaan\.php/);
}
