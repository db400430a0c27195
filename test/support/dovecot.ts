import { execFile, spawn } from 'node:child_process';
import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { link, readdir, rm, unlink, utimes, writeFile } from 'node:fs/promises';
import { connect, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { makeCertificates } from './test-certificates.ts';

/** A private Dovecot on loopback: TLS with a certificate of its own CA, Maildir, passwords the test can change. */
export type Dovecot = {
  port: number;
  /** The name its certificate is for. */
  host: string;
  ca: string;
  /** For a proxy that stands in its place. */
  certificate: { cert: string; key: string };
  /** A change takes effect once this resolves; sessions that are open stay open. */
  setPassword(user: string, password: string): Promise<void>;
  /** Puts one mail into a folder, as a mail server would; the bytes are stored as they are. */
  deliver(user: string, raw: string | Buffer, folder?: string, receivedAt?: Date): Promise<void>;
  /** Makes the server forget its UIDs: the folder comes back with another UIDVALIDITY. */
  forgetUids(user: string, folder?: string): Promise<void>;
  /** Copies a user's mails with their numbers; what it answers puts the copy in the place of what is there then. */
  backUp(user: string): Promise<() => Promise<void>>;
  /** Deletes every mail of a folder, as a person would. */
  empty(user: string, folder?: string): Promise<void>;
  /** Flags of every mail of a folder, as the file names tell them. */
  flags(user: string, folder?: string): Promise<string[]>;
  stop(): Promise<void>;
};

const run = promisify(execFile);

const binary = '/usr/sbin/dovecot';
/** Dovecot needs no root and refuses to read mail as root: as root we start it as `nobody`. */
const nobody = 65534;

export type DovecotOptions = {
  /** Address of an HTTP server that says whether an access token is valid; switches XOAUTH2 on. */
  tokenCheck?: string;
};

export async function startDovecot({ tokenCheck }: DovecotOptions = {}): Promise<Dovecot> {
  const folder = mkdtempSync(join(tmpdir(), 'milaan-dovecot-'));
  const asRoot = process.getuid?.() === 0;
  const host = 'imap.test.example';
  const certificates = makeCertificates(folder, [host, 'localhost', '127.0.0.1']);
  const port = await freePort();
  for (const name of ['run', 'state', 'mail', 'users']) mkdirSync(join(folder, name));
  let passwordChanges = 0;
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
  writeFileSync(
    join(folder, 'dovecot.conf'),
    configuration({ folder, port, asRoot, oauth: Boolean(tokenCheck) }),
  );
  if (asRoot) {
    for (const name of ['.', 'run', 'state', 'mail', 'server.key'])
      chownSync(join(folder, name), nobody, nobody);
  }
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
  for (let tries = 0; !(await accepts(port)); tries++) {
    if (child.exitCode !== null || tries > 200) {
      const logged = existsSync(log) ? readFileSync(log, 'utf8') : '';
      throw new Error(`Dovecot did not start: ${said}\n${logged}`);
    }
    await sleep(50);
  }

  const maildir = (user: string, name = 'INBOX') =>
    join(folder, 'mail', user, 'Maildir', ...(name === 'INBOX' ? [] : [`.${name}`]));
  const own = (path: string) => asRoot && chownSync(path, nobody, nobody);
  const prepare = (path: string) => {
    if (existsSync(join(path, 'new'))) return;
    const steps = path.slice(folder.length + 1).split('/');
    for (let depth = 1; depth <= steps.length; depth++) {
      const step = join(folder, ...steps.slice(0, depth));
      mkdirSync(step, { recursive: true });
      own(step);
    }
    for (const name of ['cur', 'new', 'tmp']) {
      mkdirSync(join(path, name), { recursive: true });
      own(join(path, name));
    }
  };
  let delivered = 0;
  return {
    port,
    host,
    ca: certificates.ca,
    certificate: {
      cert: readFileSync(certificates.certFile, 'utf8'),
      key: readFileSync(certificates.keyFile, 'utf8'),
    },
    async setPassword(user, password) {
      // A file for each user: Dovecot looks at a file it knows once a second at most, and then at its time.
      const file = join(folder, 'users', user);
      const isChange = existsSync(file);
      writeFileSync(file, `${user}:{PLAIN}${password}\n`);
      utimesSync(file, 1e9, 1e9 + passwordChanges++);
      if (isChange) await sleep(2100);
    },
    async deliver(user, raw, name, receivedAt) {
      const path = maildir(user, name);
      prepare(path);
      const file = `${1_800_000_000 + delivered++}.M${delivered}P${process.pid}.test`;
      await writeFile(join(path, 'tmp', file), raw);
      // Maildir keeps the moment of receipt as the file's time.
      if (receivedAt) await utimes(join(path, 'tmp', file), receivedAt, receivedAt);
      await link(join(path, 'tmp', file), join(path, 'new', file));
      await unlink(join(path, 'tmp', file));
    },
    async forgetUids(user, name) {
      const path = maildir(user, name);
      for (const file of await readdir(path)) {
        if (file.startsWith('dovecot')) await rm(join(path, file), { force: true });
      }
    },
    async backUp(user) {
      const mails = join(folder, 'mail', user);
      const copy = join(folder, `backup-${user}`);
      await run('cp', ['-a', mails, copy]);
      return async () => {
        await rm(mails, { recursive: true });
        await run('mv', [copy, mails]);
      };
    },
    async empty(user, name) {
      for (const part of ['cur', 'new']) {
        const path = join(maildir(user, name), part);
        for (const file of await readdir(path)) await rm(join(path, file));
      }
    },
    async flags(user, name) {
      const path = maildir(user, name);
      const files = (await Promise.all(['cur', 'new'].map(part => readdir(join(path, part))))).flat();
      return files.map(file => /:2,(.*)$/.exec(file)?.[1] ?? '');
    },
    async stop() {
      child.kill('SIGTERM');
      await ended;
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

function configuration(at: { folder: string; port: number; asRoot: boolean; oauth: boolean }): string {
  const name = at.asRoot ? 'nobody' : currentUser();
  const group = at.asRoot ? 'nogroup' : currentGroup();
  const uid = at.asRoot ? nobody : process.getuid!();
  const gid = at.asRoot ? nobody : process.getgid!();
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
    port = ${at.port}
    ssl = yes
  }
}
service imap {
  process_limit = 4000
  service_count = 100
}
passdb {
  driver = passwd-file
  args = ${at.folder}/users/%u
}
${at.oauth ? `passdb {\n  driver = oauth2\n  mechanisms = xoauth2 oauthbearer\n  args = ${at.folder}/oauth2.conf\n}` : ''}
userdb {
  driver = static
  args = uid=${uid} gid=${gid} home=${at.folder}/mail/%u allow_all_users=yes
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

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as { port: number };
  await new Promise(resolve => server.close(resolve));
  return port;
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
