import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { waitFor } from './wait-for.ts';

export type Line = { socket: Socket; ended: Promise<unknown>; say(command: string): Promise<string> };

/** A bare connection, after the greeting. */
export async function openLine(port: number): Promise<Line> {
  const socket = connect(port, '127.0.0.1');
  const ended = once(socket, 'close');
  socket.on('error', () => {});
  let heard = '';
  socket.on('data', data => {
    heard += data.toString('latin1');
  });
  const whole = /^(?:\d{3}-.*\r\n)*\d{3} .*\r\n/;
  const answer = async () => {
    const text = await waitFor('an answer', () => whole.exec(heard)?.[0]);
    heard = heard.slice(text.length);
    return text;
  };
  await answer();
  return {
    socket,
    ended,
    say(command) {
      socket.write(`${command}\r\n`);
      return answer();
    },
  };
}
