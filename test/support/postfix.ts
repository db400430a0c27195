import { spawn, spawnSync } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from '../../src/base/free-port.ts';
import { waitFor } from './wait-for.ts';

export type Postfix = {
  port: number;
  log(): string;
  /** Tries again what it keeps, now and not in some minutes. */
  flush(): void;
  stop(): Promise<void>;
};

/** The sample of docs/mail-in.md, word for word, for this domain and this LMTP server. */
function sample(domain: string, lmtpPort: number): string {
  const guide = readFileSync(join(import.meta.dirname, '../../docs/mail-in.md'), 'utf8');
  const [, lines = ''] = /```ini\n(virtual_mailbox_domains[^`]*)```/.exec(guide) ?? [];
  return lines.replaceAll('alerts.example.in', domain).replaceAll(':2424', `:${lmtpPort}`);
}

/** Debian's Postfix with a configuration, a queue and a log of its own, as a child of the test. Nothing of the system's is read. */
export async function startPostfix(domain: string, lmtpPort: number): Promise<Postfix> {
  const folder = mkdtempSync(join(tmpdir(), 'milaan-postfix-'));
  chmodSync(folder, 0o755);
  const at = (name: string) => join(folder, name);
  const port = await freePort();
  for (const name of ['conf', 'queue', 'data']) mkdirSync(at(name), { mode: 0o755 });
  spawnSync('chown', ['postfix', at('data')]);
  writeFileSync(
    at('conf/main.cf'),
    [
      'compatibility_level = 3.6',
      `queue_directory = ${at('queue')}`,
      `data_directory = ${at('data')}`,
      `maillog_file = ${at('log')}`,
      `maillog_file_prefixes = ${folder}`,
      'inet_interfaces = 127.0.0.1',
      'inet_protocols = ipv4',
      'myhostname = mx.example.in',
      'mydestination =',
      'alias_maps =',
      'mynetworks =',
      'minimal_backoff_time = 2s',
      'maximal_backoff_time = 5s',
      'queue_run_delay = 2s',
      sample(domain, lmtpPort),
    ].join('\n'),
  );
  const service = (name: string, type: string, process: string, isPrivate = '-') =>
    `${name} ${type} ${isPrivate} - n - - ${process}`;
  writeFileSync(
    at('conf/master.cf'),
    [
      service(`127.0.0.1:${port}`, 'inet', 'smtpd', 'n'),
      'pickup unix n - n 60 1 pickup',
      'cleanup unix n - n - 0 cleanup',
      'qmgr unix n - n 2 1 qmgr',
      'verify unix - - n - 1 verify',
      'postlog unix-dgram n - n - 1 postlogd',
      'anvil unix - - n - 1 anvil',
      'scache unix - - n - 1 scache',
      'flush unix n - n 1000? 0 flush',
      'showq unix n - n - - showq',
      'tlsmgr unix - - n 1000? 1 tlsmgr',
      ...['bounce', 'defer', 'trace'].map(name => `${name} unix - - n - 0 bounce`),
      service('rewrite', 'unix', 'trivial-rewrite'),
      service('proxymap', 'unix', 'proxymap'),
      service('lmtp', 'unix', 'lmtp'),
      service('error', 'unix', 'error'),
      service('retry', 'unix', 'error'),
      '',
    ].join('\n'),
  );
  const log = () => {
    try {
      return readFileSync(at('log'), 'utf8');
    } catch {
      return '';
    }
  };
  // Makes the folders of the queue; `start` would put the daemon into the background, where nobody could end it with us.
  spawnSync('/usr/sbin/postfix', ['-c', at('conf'), 'check']);
  const child = spawn(
    'setpriv',
    ['--pdeathsig', 'TERM', '/usr/lib/postfix/sbin/master', '-d', '-c', at('conf')],
    { stdio: 'ignore', env: { ...process.env, MAIL_CONFIG: at('conf') } },
  );
  const gone = new Promise<void>(resolve => child.once('exit', () => resolve()));
  try {
    await waitFor(`Postfix to start:\n${log()}`, () => /daemon started/.test(log()));
  } catch (error) {
    throw new Error(`${(error as Error).message}\n${log()}`);
  }
  return {
    port,
    log,
    flush: () => void spawnSync('/usr/sbin/postqueue', ['-c', at('conf'), '-f']),
    async stop() {
      child.kill('SIGTERM');
      await gone;
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
