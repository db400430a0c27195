import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { freePort } from '../../src/base/free-port.ts';
import type { Stage } from '../play-drill.ts';
import { debianPostgres } from '../standby/postgres.ts';
import { blocks, openShell, ready, type Shell } from './typing.ts';

const settings = '/etc/milaan/milaan.env';
const guide = 'docs/install.md';

/** docs/install.md, "From source", from the first command to the last, and what the operators' other pages tell to type there. */
export async function operateFromSource(stage: Stage): Promise<void> {
  const [database, web] = [await freePort(), await freePort()];
  const folder = join(stage.folder, 'source');
  mkdirSync(folder, { mode: 0o711 });
  const server = `${debianPostgres()}/pg_ctl -D ${folder}/data`;
  const shell = openShell({ ...stage, folder }, { PGHOST: folder, PGPORT: String(database) });
  const { type, step } = shell;
  await type(
    `chown postgres ${folder}; cd /; runuser -u postgres -- ${server} initdb -o '-E UTF8 --no-sync --auth-local=trust --auth-host=scram-sha-256'
    runuser -u postgres -- ${server} -o '-p ${database} -h 127.0.0.1 -k ${folder}' -l ${folder}/log -w start > /dev/null`,
  );
  stage.onEnd(() => type(`cd /; runuser -u postgres -- ${server} -m fast stop`));
  stage.onEnd(() => type('systemctl stop'));
  const asThere = (text: string) => text.replaceAll('localhost:5432', `localhost:${database}`);

  const [program = '', files = '', schema = '', units = ''] = blocks(guide, 'sh', '### From source').map(
    asThere,
  );
  await step('from source: the program', program.replace(/^apt install .*\n/m, ''));
  const [role = ''] = blocks(guide, 'sql', '### From source');
  await step('role and database', `cd /; runuser -u postgres psql <<'END'\n${role}END`, /CREATE DATABASE/);
  await step('settings', `${files}echo PORT=${web} >> ${settings}`);
  await step('the schema and the first business', schema, /done: \d+ applied[\s\S]*API key/);
  await step('the units', `cd /srv/milaan; ${units}`);
  await ready(web);
  await step('doctor finds the rest', 'milaan doctor', /FAULT {4}backup/, 1);

  await playPeopleAndPlans(shell);
  await playBackups(shell);
  await step('running-a-platform.md and privacy.md: their settings are taken', restartedWith());
  await ready(web);
  const page = await (await fetch(`http://127.0.0.1:${web}/`)).text();
  stage.see('and shown', page.includes('Asha Pay'));
  await playCells(shell, asThere, web);
}

async function playPeopleAndPlans({ type, step }: Shell): Promise<void> {
  await type('milaan create-business --name Priya --email priya@example.in');
  const [gettingIn = '', opening = ''] = blocks('docs/accounts.md');
  await step('accounts.md: getting in again', gettingIn, /recover\/[\s\S]*two-step sign-in of .* is off/);
  await step('opening a business', `export SIGNUPS=invite; ${opening}`, /open-business\//);
  const [plans = ''] = blocks('docs/configure.md', 'json', '## Plans');
  const [sold = ''] = blocks('docs/running-a-platform.md', 'json');
  for (const [page, file] of [
    ['configure.md', plans],
    ['running-a-platform.md', sold],
  ] as const)
    await step(
      `${page}: its plans are put in force`,
      `cat > plans.json <<'END'\n${file}END\nmilaan apply-plans plans.json --yes`,
      /these plans are in force now/,
    );
  const first = '$(milaan list-businesses | grep Chai | cut -f1)';
  await step(
    'a seller',
    `milaan set-plan --business ${first} --plan house; milaan set-seller --business ${first}`,
  );
  const [scope = ''] = blocks('docs/privacy.md');
  const typed = scope.replace('meera@shop.example', 'priya@example.in').replace(/^.*--key.*\n/m, '');
  await step(
    'privacy.md: how far it reached',
    typed.replace('web-1', '$(hostname)'),
    /within reach: 1 business/,
  );
  const [banks = ''] = blocks('docs/adding-a-bank.md', 'json');
  const mail = 'From: alerts@hdfcbank.net\\r\\nTo: shop@example.com\\r\\n\\r\\nRs. 1.00 credited\\r\\n';
  await step(
    'adding-a-bank.md: its file, and a mail explained',
    `cat > banks.json <<'END'\n${banks}END\nprintf '${mail}' > alert.eml\n${blocks('docs/adding-a-bank.md', '').at(-1)}`,
    /"verdict":"forged"/,
  );
}

async function playBackups({ step }: Shell): Promise<void> {
  const [keys = ''] = blocks('docs/back-up.md');
  const [keygen = '', , backup = '', restore = ''] = keys.split('\n');
  const publicKey = "sed -n 's/.*public key: /BACKUP_KEY=/p' milaan-backup-key.txt";
  await step('back-up.md: a backup, tried', `${keygen}\n${publicKey} >> ${settings}\n${backup}`);
  const typed = restore.replace(/\S+\.age/, '$(ls /var/backups/milaan/*.age)');
  await step('nothing is overwritten', typed, /is not empty/, 1);
  await step('and restored', `${typed} --into milaan_again`);
  const key = "sed -n 's/^SECRET_KEY=//p' " + settings;
  const [fresh = ''] = blocks('docs/configure.md', 'sh', '## The secret key');
  const put = (value: string) => `sed -i "s#^SECRET_KEY=.*#SECRET_KEY=${value}#" ${settings}`;
  await step(
    'the secret key is changed',
    `new=$(${fresh.trim()}); old=$(${key}); ${put('$new,$old')}; milaan rotate-secret-key; ${put('$new')}`,
    /may now remove the older keys from SECRET_KEY/,
  );
}

function restartedWith(): string {
  const [platform = ''] = blocks('docs/running-a-platform.md', 'ini');
  const [kept = ''] = blocks('docs/privacy.md', '').filter(text => text.startsWith('KEEP_DAYS'));
  return `echo '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 8 8"/>' > /etc/milaan/mark.svg
cat >> ${settings} <<'END'
${platform}${kept}END
systemctl stop; systemctl start milaan.service`;
}

async function playCells(shell: Shell, asThere: (text: string) => string, web: number): Promise<void> {
  const { step } = shell;
  const url = asThere('postgres://milaan:change-me@localhost:5432/cell_b');
  const make = `create database cell_b owner milaan encoding 'UTF8' template template0`;
  await step(
    'cells.md: from one database to two',
    `(cd /; runuser -u postgres -- psql -c "${make}"); milaan add-cell ${url} --into /etc/milaan/cells.json
chgrp milaan /etc/milaan/cells.json; chmod 640 /etc/milaan/cells.json
sed -i s#^DATABASE_URL=.*#CELLS_FILE=/etc/milaan/cells.json# ${settings}; systemctl stop; systemctl start milaan.service`,
  );
  await ready(web);
  const lost = blocks('docs/cells.md').find(text => text.includes('milaan restore')) ?? '';
  await step(
    'a business is opened in the new cell',
    'milaan create-business --cell 1 --name Second --email second@shop.example',
    /business +\d+/,
  );
  await step('every cell is backed up', 'systemctl stop; milaan backup; ls /var/backups/milaan', /-cell1-/);
  const again = lost
    .replace('milaan-cell1-….dump.age', '$(ls /var/backups/milaan/*cell1*)')
    .replace('key.txt', 'milaan-backup-key.txt');
  await step(
    'a lost cell is restored',
    `(cd /; runuser -u postgres -- psql -c 'drop database cell_b' -c "${make}")\n${again}milaan list-cells`,
    /cell 1 .* 1 business/,
  );
}
