import type { AddressInfo, Socket } from 'node:net';
import { connect, createServer, type TLSSocket } from 'node:tls';
import type { Dovecot } from './dovecot.ts';

/**
 * The faults of a network or a bad server in a session:
 * - `black hole`: connections stand, bytes vanish in both directions;
 * - `refuse`: new connections are closed at once;
 * - `slow drip`: what the server says arrives a byte at a time;
 * - `swallow exists`: news of mail is lost while everything else works.
 */
type Fault = 'none' | 'black hole' | 'refuse' | 'slow drip' | 'swallow exists';

/** A bad server's answer to a command, given the selected folder. `cut` hangs up instead. */
export type Forged = (command: string, folder: string) => string | null;

export type FaultProxy = {
  port: number;
  /** Connections accepted so far. */
  accepted: number;
  /** Sessions open now. */
  open: number;
  /** How often a fault really did something: bytes that vanished, dripped or were swallowed, answers that were forged. */
  struck: number;
  set(fault: Fault): void;
  /** Resets every open session (RST). */
  reset(): void;
  /** Says something in the server's name in every open session. */
  say(text: string | Buffer): void;
  /** Ends a session as soon as its client sends a line that fits. */
  cutWhen(pattern: RegExp | null): void;
  /** Answers a command in the server's name, which then never hears of it: the text without its tag, or null. */
  answerWith(answer: Forged | null): void;
  /** Changes what the server says on its way to the client. */
  rewrite(change: ((said: string) => string) | null): void;
  /** Lines that the clients sent, without credentials. */
  heard: string[];
  stop(): Promise<void>;
};

/** A TLS proxy with the server's own certificate, so that it can read and forge what passes. */
export async function startFaultProxy(dovecot: Dovecot): Promise<FaultProxy> {
  let fault: Fault = 'none';
  let cut: RegExp | null = null;
  let forged: Forged | null = null;
  let change: ((said: string) => string) | null = null;
  const sessions = new Set<{ client: TLSSocket; server: TLSSocket }>();
  /** The TCP connection beneath each session: resetting it is the only way to send an RST. */
  const raw = new Set<Socket>();

  const listener = createServer(dovecot.certificate, client => {
    proxy.accepted++;
    client.on('error', () => {});
    if (fault === 'refuse') {
      proxy.struck++;
      return void client.destroy();
    }
    const server = connect({
      port: dovecot.port,
      host: '127.0.0.1',
      ca: dovecot.ca,
      servername: dovecot.host,
    });
    const session = { client, server };
    let folder = '';
    sessions.add(session);
    proxy.open++;
    const end = () => {
      if (!sessions.delete(session)) return;
      proxy.open--;
      client.destroy();
      server.destroy();
    };
    for (const socket of [client, server]) socket.on('error', end).on('close', end);
    client.on('data', chunk => {
      if (fault === 'black hole') {
        proxy.struck++;
        return;
      }
      const text = chunk.toString('latin1');
      proxy.heard.push(
        ...text
          .split('\r\n')
          .filter((line: string) => / (UID |EXAMINE|SELECT|IDLE|STATUS|LOGIN|AUTH)/.test(line)),
      );
      if (cut?.test(text)) return end();
      const [, tag = '', command = ''] = /^(\S+) (.*)\r\n$/.exec(text) ?? [];
      const answer = forged?.(command, folder) ?? null;
      if (answer !== null) proxy.struck++;
      if (answer === 'cut') return end();
      if (answer !== null) return void client.write(`${answer.replace(/(^|\n)(?=[A-Z])/, `$1${tag} `)}\r\n`);
      folder = /^(?:EXAMINE|SELECT) "?([^"\s]+)/.exec(command)?.[1] ?? folder;
      server.write(chunk);
    });
    server.on('data', chunk => {
      const said = change ? Buffer.from(change(chunk.toString('latin1')), 'latin1') : chunk;
      void forward(client, said);
    });
  });
  listener.on('connection', (socket: Socket) => {
    raw.add(socket);
    socket.on('error', () => {}).on('close', () => raw.delete(socket));
  });

  async function forward(client: TLSSocket, chunk: Buffer): Promise<void> {
    if (fault === 'black hole') return;
    if (fault === 'swallow exists') {
      const kept = chunk.toString('latin1').replace(/^\* \d+ (EXISTS|RECENT)\r\n/gm, '');
      if (kept.length < chunk.length) proxy.struck++;
      client.write(Buffer.from(kept, 'latin1'));
      return;
    }
    if (fault !== 'slow drip') return void client.write(chunk);
    proxy.struck++;
    for (const byte of chunk) {
      client.write(Buffer.from([byte]));
      await new Promise(resolve => setTimeout(resolve, 100));
      if (client.destroyed) return;
    }
  }

  await new Promise<void>(resolve => listener.listen(0, '127.0.0.1', resolve));
  const proxy: FaultProxy = {
    port: (listener.address() as AddressInfo).port,
    accepted: 0,
    open: 0,
    struck: 0,
    heard: [],
    set(next) {
      fault = next;
    },
    reset() {
      proxy.struck += raw.size;
      for (const socket of raw) socket.resetAndDestroy();
    },
    say(text) {
      proxy.struck += sessions.size;
      for (const { client } of sessions) client.write(text);
    },
    cutWhen(pattern) {
      cut = pattern;
    },
    answerWith(answer) {
      forged = answer;
    },
    rewrite(next) {
      change = next;
    },
    async stop() {
      for (const { client, server } of sessions) {
        client.destroy();
        server.destroy();
      }
      await new Promise(resolve => listener.close(resolve));
    },
  };
  return proxy;
}
