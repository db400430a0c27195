import { spawn } from 'node:child_process';
import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { freePort } from '../../src/base/free-port.ts';
import { makeCertificates } from './test-certificates.ts';

const binary = '/usr/sbin/dovecot';
/** Dovecot needs no root and refuses to read mail as root: as root we start it as `nobody`. */
const nobody = 65534;
const asRoot = process.getuid?.() === 0;
export const mailHost = 'imap.test.example';

/** One process that is a mail server of its own on each of its ports: users and mails of one are unknown to the others. */
export type DovecotServer = { folder: string; ports: number[]; stop(): Promise<void> };

export type DovecotOptions = {
  /** Address of an HTTP server that says whether an access token is valid; switches XOAUTH2 on. */
  tokenCheck?: string;
};

export async function launchDovecot(
  count: number,
  { tokenCheck }: DovecotOptions = {},
): Promise<DovecotServer> {
  const folder = mkdtempSync(join(tmpdir(), 'milaan-dovecot-'));
  makeCertificates(folder, [mailHost, 'localhost', '127.0.0.1']);
  const ports: number[] = [];
  while (ports.length < count) ports.push(await freePort());
  for (const name of ['run', 'state', 'mail', 'users', 'taken']) mkdirSync(join(folder, name));
  for (const port of ports) mkdirSync(join(folder, 'users', String(port)));
  if (tokenCheck) {
    const lines = [
      'introspection_mode = post',
      `introspection_url = ${tokenCheck}`,
      'username_attribute = email',
    ];
    writeFileSync(
      join(folder, 'oauth2.conf'),
      `${lines.join('\n')}\nactive_attribute = active\nactive_value = true\n`,
    );
  }
  writeFileSync(join(folder, 'dovecot.conf'), configuration({ folder, ports, oauth: Boolean(tokenCheck) }));
  for (const name of ['.', 'run', 'state', 'mail', 'server.key']) giveToDovecot(join(folder, name));
  chmodSync(folder, 0o755);

  const child = spawn(binary, ['-F', '-c', join(folder, 'dovecot.conf')], {
    stdio: ['ignore', 'pipe', 'pipe'],
    ...(asRoot && { uid: nobody, gid: nobody }),
  });
  let said = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (text: Buffer) => {
      said += text;
    });
  }
  const ended = new Promise<void>(resolve => child.once('close', () => resolve()));
  const log = join(folder, 'log');
  for (let tries = 0; !(await accepts(ports[0]!)); tries++) {
    if (child.exitCode !== null || tries > 2_000) {
      const logged = existsSync(log) ? readFileSync(log, 'utf8') : '';
      throw new Error(`Dovecot did not start: ${said}\n${logged}`);
    }
    await sleep(50);
  }
  return {
    folder,
    ports,
    async stop() {
      child.kill('SIGTERM');
      await ended;
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

export function giveToDovecot(path: string): void {
  if (asRoot) chownSync(path, nobody, nobody);
}

function configuration(at: { folder: string; ports: number[]; oauth: boolean }): string {
  const name = asRoot ? 'nobody' : currentUser();
  const group = asRoot ? 'nogroup' : currentGroup();
  const uid = asRoot ? nobody : process.getuid!();
  const gid = asRoot ? nobody : process.getgid!();
  return `
base_dir = ${at.folder}/run
state_dir = ${at.folder}/state
log_path = ${at.folder}/log
protocols = imap
listen = 127.0.0.1
default_internal_user = ${name}
default_internal_group = ${group}
default_login_user = ${name}
first_valid_uid = 1
ssl = required
ssl_cert = <${at.folder}/server.pem
ssl_key = <${at.folder}/server.key
auth_mechanisms = plain login${at.oauth ? ' xoauth2' : ''}
auth_failure_delay = 0
auth_cache_size = 0
mail_max_userip_connections = 100
# A thousand sessions, and those of the round before that are just ending: every service hears of each.
default_client_limit = 10000
default_vsz_limit = 1024M
mailbox_idle_check_interval = 1s
mail_location = maildir:~/Maildir
namespace inbox {
  inbox = yes
  separator = .
  mailbox Junk {
    auto = create
    special_use = \\Junk
  }
}
service anvil {
  chroot =
  # Wrong passwords would slow down every later login from this address.
  unix_listener anvil-auth-penalty {
    mode = 0
  }
}
service stats {
  chroot =
}
service imap-login {
  chroot =
  service_count = 0
  client_limit = 4000
  process_limit = 1
  inet_listener imap {
    port = 0
  }
  inet_listener imaps {
    port = 0
  }
${at.ports.map(port => `  inet_listener imaps-${port} {\n    port = ${port}\n    ssl = yes\n  }`).join('\n')}
}
service imap {
  process_limit = 4000
  service_count = 100
}
passdb {
  driver = passwd-file
  args = ${at.folder}/users/%a/%u
}
${at.oauth ? `passdb {\n  driver = oauth2\n  mechanisms = xoauth2 oauthbearer\n  args = ${at.folder}/oauth2.conf\n}` : ''}
userdb {
  driver = static
  args = uid=${uid} gid=${gid} home=${at.folder}/mail/%a/%u allow_all_users=yes
}
`;
}

function currentUser(): string {
  return nameOf('/etc/passwd', process.getuid!());
}

function currentGroup(): string {
  return nameOf('/etc/group', process.getgid!());
}

function nameOf(file: string, id: number): string {
  const line = readFileSync(file, 'utf8')
    .split('\n')
    .find(entry => entry.split(':')[2] === String(id));
  return line?.split(':')[0] ?? String(id);
}

async function accepts(port: number): Promise<boolean> {
  return await new Promise(resolve => {
    const socket = connect(port, '127.0.0.1', () => {
      socket.destroy();
      resolve(true);
    });
    socket.once('error', () => resolve(false));
  });
}
