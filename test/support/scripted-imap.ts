import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { createServer, type TLSSocket } from 'node:tls';
import { testCertificate } from './test-certificate.ts';

/** Says lines to the client. The last part of an answer is usually `${tag} OK`. */
type Say = (...lines: string[]) => void;
/** The server's answer to one command; undefined for the usual answer. */
type Script = Record<string, (said: { tag: string; args: string; say: Say; socket: TLSSocket }) => void>;

export type ScriptedImap = Awaited<ReturnType<typeof startScriptedImap>>;

/**
 * An IMAP server whose answers a test writes, for faults that Dovecot does not have. INBOX has the mails of `mails`, by
 * UID. `heard` holds every line of the client.
 */
export async function startScriptedImap() {
  const host = 'scripted.example';
  const certificate = testCertificate([host]);
  // A mailbox skips mails that arrived long before it was connected, so they arrive today.
  const arrived = new Date()
    .toUTCString()
    .slice(5, 25)
    .replace(/^(\d+) (\w+) /, '$1-$2-');
  const server = {
    host,
    ca: certificate.cert,
    port: 0,
    capabilities: 'IMAP4rev1 IDLE AUTH=PLAIN SASL-IR',
    uidvalidity: 1,
    mails: new Map<number, string>(),
    script: {} as Script,
    heard: [] as string[],
    sockets: new Set<TLSSocket>(),
    async stop() {
      for (const socket of server.sockets) socket.destroy();
      listener.close();
      await once(listener, 'close');
    },
  };
  const usual: Script = {
    CAPABILITY: ({ tag, say }) => say(`* CAPABILITY ${server.capabilities}`, `${tag} OK done`),
    LIST: ({ tag, say }) => say('* LIST () "/" INBOX', `${tag} OK done`),
    EXAMINE: ({ tag, say }) =>
      say(
        `* ${server.mails.size} EXISTS`,
        `* OK [UIDVALIDITY ${server.uidvalidity}] ok`,
        `* OK [UIDNEXT ${Math.max(0, ...server.mails.keys()) + 1}] ok`,
        `${tag} OK [READ-ONLY] done`,
      ),
    IDLE: ({ say }) => say('+ idling'),
    SEARCH: ({ tag, args, say }) => {
      const from = /UID (\d+)/.exec(args)?.[1] ?? '0';
      const found = [...server.mails.keys()].filter(uid => uid >= Number(from));
      say(`* SEARCH ${found.join(' ')}`, `${tag} OK done`);
    },
    FETCH: ({ tag, args, say }) => {
      const [first = 0, last = first] = args.match(/\d+/g)!.map(Number);
      const asked = [...server.mails].filter(([uid]) => uid >= first && uid <= Math.max(first, last));
      for (const [at, [uid, mail]] of asked.entries()) {
        const isHead = args.includes('HEADER.FIELDS');
        const text = isHead ? `${mail.split('\r\n\r\n')[0]}\r\n\r\n` : mail;
        const part = isHead ? 'BODY[HEADER.FIELDS (FROM MESSAGE-ID)]' : 'BODY[]';
        const size = `UID ${uid} RFC822.SIZE ${mail.length} INTERNALDATE "${arrived} +0000"`;
        say(`* ${at + 1} FETCH (${size} ${part} {${text.length}}\r\n${text})`);
      }
      say(`${tag} OK done`);
    },
  };
  const listener = createServer(certificate, socket => {
    server.sockets.add(socket);
    socket.on('error', () => {});
    socket.on('close', () => server.sockets.delete(socket));
    const say: Say = (...lines) => void socket.write(`${lines.join('\r\n')}\r\n`);
    say('* OK ready');
    let rest = '';
    let idle = '';
    socket.on('data', chunk => {
      rest += chunk;
      for (let end = rest.indexOf('\r\n'); end >= 0; end = rest.indexOf('\r\n')) {
        const line = rest.slice(0, end);
        rest = rest.slice(end + 2);
        server.heard.push(line);
        if (line === 'DONE') {
          say(`${idle} OK done`);
          continue;
        }
        const [, tag = '', name = '', args = ''] = /^(\S+) (?:UID )?(\S+) ?(.*)$/.exec(line) ?? [];
        const command = name.toUpperCase();
        if (command === 'IDLE') idle = tag;
        const answer = server.script[command] ?? usual[command] ?? (() => say(`${tag} OK done`));
        answer({ tag, args, say, socket });
      }
    });
  });
  listener.listen(0, '127.0.0.1');
  await once(listener, 'listening');
  server.port = (listener.address() as AddressInfo).port;
  return server;
}
