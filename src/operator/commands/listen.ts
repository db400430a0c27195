import { setTimeout as sleep } from 'node:timers/promises';
import { second, systemClock } from '../../base/clock.ts';
import { StartError } from '../../base/start-error.ts';
import type { Command } from '../command.ts';
import { type Forwarded, forwardEvents, openBook } from './forward-events.ts';
import { Away, openService } from './open-service.ts';

const pause = 1 * second;

export const listenCommand: Command = {
  needs: 'environment',
  summary: "forward a sandbox's events to a program on this machine; of a live business, test events only",
  options: {
    'forward-to': { meaning: 'the program, such as http://localhost:3000/webhooks/upi', required: true },
    url: { meaning: 'the installation, with its key in MILAAN_API_KEY; else the sandbox in .milaan' },
    once: { meaning: 'forward new events once: exit code 0, or 2 if one side cannot be reached', flag: true },
    json: { meaning: 'one JSON object per line', flag: true },
  },
  async run(options, env) {
    const forwardTo = URL.parse(options['forward-to'] ?? '');
    if (!forwardTo || !/^https?:$/.test(forwardTo.protocol))
      throw new StartError('--forward-to must be an address such as http://localhost:3000/webhooks/upi');
    const service = openService(options['url'], env);
    const book = openBook(service, forwardTo.href);
    const stop = new AbortController();
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
      process.once(signal, () => stop.abort(signal));
    const say = (line: string, facts: object) =>
      console.log(options['json'] === undefined ? line : JSON.stringify(facts));
    const { secret } = book;
    say(`forwarding to ${forwardTo.href}, signed with ${secret}`, { forward_to: forwardTo.href, secret });
    let away: string | null = '';
    while (!stop.signal.aborted) {
      try {
        await forwardEvents(service, book, forwardTo.href, one => {
          say(inWords(one), one);
          if (one.status === 400 && options['json'] === undefined)
            console.log('          400 mostly means a wrong secret: verify with the secret above');
        });
        if (away !== null) say('listening', { listening: true });
        away = null;
      } catch (error) {
        if (!(error instanceof Away)) throw error;
        if (error.message !== away) say(`waiting: ${error.message}`, { waiting: error.message });
        away = error.message;
      }
      if (options['once'] !== undefined) return away === null ? 0 : 2;
      await sleep(pause, null, stop).catch(() => {});
    }
    return 0;
  },
};

function inWords({ type, event_id, order_id, status, ms }: Forwarded): string {
  const time = systemClock.now().toTimeString().slice(0, 8);
  return `${time}  ${type.padEnd(16)} ${order_id ?? ''} ${event_id}  ${status} in ${ms} ms`;
}
