import { execFile } from 'node:child_process';
import { existsSync, linkSync, mkdirSync, readFileSync, utimesSync, writeFileSync } from 'node:fs';
import { link, readdir, rm, unlink, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import {
  type DovecotOptions,
  type DovecotServer,
  giveToDovecot,
  launchDovecot,
  mailHost,
} from './dovecot-server.ts';
import { waitFor } from './wait-for.ts';

const run = promisify(execFile);

/** A Dovecot on loopback: TLS with a certificate of its own CA, Maildir, passwords the test can change. */
export type Dovecot = {
  port: number;
  /** The name its certificate is for. */
  host: string;
  ca: string;
  /** For a proxy that replaces it. */
  certificate: { cert: string; key: string };
  /** A change takes effect once this resolves; sessions that are open stay open. */
  setPassword(user: string, password: string): Promise<void>;
  /** Puts one mail into a folder, as a mail server would; the bytes are stored as they are. */
  deliver(user: string, raw: string | Buffer, folder?: string, receivedAt?: Date): Promise<void>;
  /** The same mail so many times, in INBOX, seen by its owner: what is new is scanned by the server at every look. */
  deliverCopies(user: string, raw: string | Buffer, count: number): Promise<void>;
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

/** More than there are test files with a mail server. */
const sharedPorts = 40;

/** One process for all test files; `MILAAN_TEST_DOVECOT` has its address, and each takes a port for itself. */
export async function shareDovecot(): Promise<DovecotServer> {
  return await launchDovecot(sharedPorts);
}

/** A mail server for the caller alone: a port of the shared one, or a process of its own. */
export async function startDovecot(options: DovecotOptions = {}): Promise<Dovecot> {
  const given = process.env['MILAAN_TEST_DOVECOT'];
  if (!given || options.tokenCheck) {
    const server = await launchDovecot(1, options);
    return useDovecot(server, server.ports[0]!);
  }
  const shared = JSON.parse(given) as { folder: string; ports: number[] };
  const port = shared.ports.find(candidate => takes(join(shared.folder, 'taken', String(candidate))));
  if (port === undefined) throw new Error(`all ${sharedPorts} ports of the shared Dovecot are taken`);
  return useDovecot({ ...shared, stop: async () => {} }, port);
}

/** Takes a folder's name: only one of several processes can create it. */
function takes(path: string): boolean {
  try {
    mkdirSync(path);
    return true;
  } catch {
    return false;
  }
}

function useDovecot(server: DovecotServer, port: number): Dovecot {
  const { folder } = server;
  const read = (name: string) => readFileSync(join(folder, name), 'utf8');
  const maildir = (user: string, name = 'INBOX') =>
    join(folder, 'mail', String(port), user, 'Maildir', ...(name === 'INBOX' ? [] : [`.${name}`]));
  const prepare = (path: string) => {
    if (existsSync(join(path, 'new'))) return;
    const steps = path.slice(folder.length + 1).split('/');
    for (let depth = 1; depth <= steps.length; depth++) {
      const step = join(folder, ...steps.slice(0, depth));
      mkdirSync(step, { recursive: true });
      giveToDovecot(step);
    }
    for (const name of ['cur', 'new', 'tmp']) {
      mkdirSync(join(path, name), { recursive: true });
      giveToDovecot(join(path, name));
    }
  };
  let passwordChanges = 0;
  let delivered = 0;
  return {
    port,
    host: mailHost,
    ca: read('ca.pem'),
    certificate: { cert: read('server.pem'), key: read('server.key') },
    async setPassword(user, password) {
      // A file for each user: Dovecot looks at a file it knows once a second at most, and then at its time.
      const file = join(folder, 'users', String(port), user);
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
    async deliverCopies(user, raw, count) {
      const path = maildir(user);
      prepare(path);
      const one = join(path, 'tmp', `copied-${delivered}`);
      await writeFile(one, raw);
      for (let copy = 0; copy < count; copy++)
        linkSync(
          one,
          join(path, 'cur', `${1_800_000_000 + delivered++}.M${delivered}P${process.pid}.test:2,S`),
        );
      await unlink(one);
    },
    async forgetUids(user, name) {
      const path = maildir(user, name);
      for (const file of await readdir(path)) {
        if (file.startsWith('dovecot')) await rm(join(path, file), { force: true });
      }
    },
    async backUp(user) {
      const mails = join(folder, 'mail', String(port), user);
      const copy = join(folder, `backup-${port}-${user}`);
      // A session that has just ended may still be writing: a lock that is copied too would stay for minutes.
      await waitFor('a backup in which nothing is half written', async () => {
        await rm(copy, { recursive: true, force: true });
        const isWhole = await run('cp', ['-a', mails, copy]).then(
          () => true,
          () => false,
        );
        return (
          isWhole && !(await readdir(copy, { recursive: true })).some(name => /\.(lock|tmp)$/.test(name))
        );
      });
      return async () => {
        // One of the server's sessions may still write there.
        await rm(mails, { recursive: true, maxRetries: 5 });
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
    stop: () => server.stop(),
  };
}
