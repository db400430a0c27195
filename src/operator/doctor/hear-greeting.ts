import type { Socket } from 'node:net';
import { second } from '../../base/clock.ts';

/** As long as the doctor waits for a server of mail or of names. */
export const answerLimit = 8 * second;

/** What a mail server says first; then it is left alone. */
export function hearGreeting(socket: Socket): Promise<string> {
  return new Promise((resolve, reject) => {
    socket.setTimeout(answerLimit, () => socket.destroy(new Error('no answer in time')));
    socket.once('error', reject);
    socket.once('data', chunk => {
      resolve(String(chunk));
      socket.destroy();
    });
  });
}
