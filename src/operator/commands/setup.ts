import { execFileSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { chownSync, existsSync, mkdirSync, readFileSync, renameSync, statSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { parseEnv } from 'node:util';
import { newSecretKey } from '../../base/secrets.ts';
import { type Config, readConfig } from '../../base/settings/config.ts';
import { StartError } from '../../base/start-error.ts';
import { listMerchants } from '../../business/merchants/queries.ts';
import type { Command } from '../command.ts';
import { openWorld, reach } from '../open-world.ts';
import { createWithOwner } from './merchant-commands.ts';

const settingsFile = '/etc/milaan/milaan.env';
const backupIdentity = '/root/milaan-backup-key.txt';

/** Run again, it continues where it stopped and keeps what exists. */
export const setupCommand: Command = {
  needs: 'options',
  summary: 'set up this machine: settings, database, keys and the first business (as root, once)',
  settings: `${settingsFile}, which it writes, and the backups' private key in ${backupIdentity}`,
  options: {
    'public-url': {
      meaning: 'the address customers will see, such as https://pay.example.in',
      required: true,
    },
    name: { meaning: 'the name of the first business', required: true },
    email: { meaning: "its owner's address, for sign-in", required: true },
    'database-url': {
      meaning: "another machine's PostgreSQL; without it, setup creates role and database here",
    },
  },
  async run(options) {
    const given = options as Given;
    if (process.getuid?.() !== 0) throw new StartError('setup needs root');
    if (!existsSync(settingsFile)) await writeSettings(settingsFile, given);
    else console.log(`kept      ${settingsFile}`);
    const { config } = readChecked(readFileSync(settingsFile, 'utf8'));
    if (given['database-url'] === undefined) makeDatabase(config.databaseUrl ?? '');
    const { world, close } = await openWorld(config, { baseUrl: config.publicUrl ?? '', say: () => {} });
    try {
      if ((await listMerchants(world.sql)).length > 0) console.log('kept      the businesses that are there');
      else await createWithOwner(world, { name: given.name, email: given.email });
    } finally {
      await close();
    }
    startUnits();
    notifyTheRest(given['public-url'], config.port);
    return 0;
  },
};

type Given = { 'public-url': string; name: string; email: string; 'database-url'?: string };

/** Only root and the service's group can read the file. It is renamed into place, never half-written. */
export async function writeSettings(file: string, given: Given): Promise<void> {
  const password = randomBytes(18).toString('hex');
  const databaseUrl =
    given['database-url'] ?? `postgres://milaan:${password}@localhost:${psql('show port')}/milaan`;
  const lines = [
    '# Written by milaan setup. /usr/lib/milaan/docs/configure.md explains every name.',
    `PUBLIC_URL=${given['public-url']}`,
    `DATABASE_URL=${databaseUrl}`,
    '# Without this key no stored password can be read again: keep a copy where the backups are not.',
    `SECRET_KEY=${newSecretKey()}`,
    '# Push services know this installation by it: with another one every device has to be added again.',
    `PUSH_KEY=${newSecretKey()}`,
    '# The proxy is on this machine and says who is calling.',
    'HOST=127.0.0.1',
    'TRUST_PROXY=yes',
    `METRICS_TOKEN=${randomBytes(18).toString('hex')}`,
  ];
  // Before anything is written, because a corrected command keeps what exists.
  readChecked(lines.join('\n'));
  if (given['database-url'] !== undefined) await reach(databaseUrl, () => {});
  lines.push(`BACKUP_KEY=${backupKey()}`);
  mkdirSync(dirname(file), { recursive: true, mode: 0o750 });
  writeFileSync(`${file}.new`, `${lines.join('\n')}\n`, { mode: 0o640 });
  chownSync(`${file}.new`, 0, statSync(dirname(file)).gid);
  renameSync(`${file}.new`, file);
  console.log(`written   ${file}`);
}

function readChecked(settings: string): { config: Config } {
  const read = readConfig([], parseEnv(settings));
  if ('problems' in read) throw new StartError(read.problems.join('; '));
  return read;
}

/** Makes the backup key pair. Root keeps the private half until the operator moves it elsewhere. */
function backupKey(): string {
  if (!existsSync(backupIdentity)) tool('age-keygen', '-o', backupIdentity);
  return tool('age-keygen', '-y', backupIdentity);
}

function makeDatabase(databaseUrl: string): void {
  const { username, password, pathname } = new URL(databaseUrl);
  const [role, name] = [decodeURIComponent(username), decodeURIComponent(pathname.slice(1))];
  if (![role, name].every(word => /^[a-z_][a-z0-9_]*$/.test(word)) || !/^[0-9a-f]+$/.test(password)) {
    console.log(`kept      role and database of DATABASE_URL, which setup did not create`);
    return;
  }
  // createdb, because every backup is tried in a scratch database.
  if (psql(`select 1 from pg_roles where rolname = '${role}'`) === '')
    psql(`create role ${role} login createdb password '${password}'`);
  // The doctor needs this right to check the standby, the disk and open transactions.
  psql(`grant pg_monitor to ${role}`);
  if (psql(`select 1 from pg_database where datname = '${name}'`) === '')
    psql(`create database ${name} owner ${role} encoding 'UTF8' template template0`);
  console.log(`database  ${name}, of role ${role}`);
}

function psql(statement: string): string {
  return tool('runuser', '-u', 'postgres', '--', 'psql', '-AtXqv', 'ON_ERROR_STOP=1', '-c', statement);
}

function tool(program: string, ...args: string[]): string {
  try {
    return execFileSync(program, args, {
      encoding: 'utf8',
      cwd: '/',
      stdio: ['ignore', 'pipe', 'pipe'],
    }).trim();
  } catch (error) {
    const { stderr, message } = error as { stderr?: string; message: string };
    const advice = program === 'runuser' ? '; install postgresql, or give --database-url' : '';
    throw new StartError(`${program}: ${stderr?.trim() || message}${advice}`);
  }
}

function startUnits(): void {
  if (!existsSync('/run/systemd/system')) {
    console.log('systemd   is not running here: start /usr/lib/milaan/src/main.ts with your own supervisor');
    return;
  }
  tool('systemctl', 'enable', '--now', 'milaan.service', 'milaan-backup.timer', 'milaan-verify.timer');
  console.log('started   milaan.service, milaan-backup.timer, milaan-verify.timer');
}

function notifyTheRest(publicUrl: string, port: number): void {
  const { hostname } = new URL(publicUrl);
  console.log(`
What is left to you:
  1. DNS: let ${hostname} lead to this machine.
  2. TLS: apt install caddy, and in /etc/caddy/Caddyfile:
       ${hostname} {
         header Strict-Transport-Security "max-age=31536000"
         reverse_proxy 127.0.0.1:${port}
       }
  3. Move ${backupIdentity} to another machine: it opens the backups.
  4. milaan doctor`);
}
