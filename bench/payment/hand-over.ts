import { once } from 'node:events';
import { connect } from 'node:net';

export type HandOver = { (to: string, raw: Buffer): Promise<void>; close(): void };

/** A mail server that hands mails over one by one on a connection that stays open, at nearly no cost. */
export async function openHandOver(port: number): Promise<HandOver> {
  const socket = connect(port, '127.0.0.1').setEncoding('latin1').setNoDelay();
  const replies: string[] = [];
  let rest = '';
  let wake = () => {};
  socket.on('data', (chunk: Buffer | string) => {
    const lines = (rest + chunk).split('\r\n');
    rest = lines.pop()!;
    // All lines of an answer but the last have a hyphen.
    replies.push(...lines.filter(line => line[3] === ' '));
    wake();
  });
  socket.on('error', () => {});
  socket.on('close', () => {
    replies.push('421 it closed the connection');
    wake();
  });
  await once(socket, 'connect');
  const hear = async (code: string) => {
    while (replies.length === 0) await new Promise<void>(resolve => (wake = resolve));
    const reply = replies.shift()!;
    if (!reply.startsWith(code)) throw new Error(`the mail server said ${reply}`);
  };
  await hear('220');
  socket.write('EHLO bench.example\r\n');
  await hear('250');
  const handOver = async (to: string, raw: Buffer) => {
    socket.write(`MAIL FROM:<bounce@provider.example>\r\nRCPT TO:<${to}>\r\nDATA\r\n`);
    for (const code of ['250', '250', '354']) await hear(code);
    const text = raw.toString('latin1').replaceAll('\r\n.', '\r\n..');
    socket.write(Buffer.from(text.endsWith('\r\n') ? `${text}.\r\n` : `${text}\r\n.\r\n`, 'latin1'));
    await hear('250');
  };
  return Object.assign(handOver, { close: () => socket.destroy() });
}
