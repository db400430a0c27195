import pg from 'pg';
import { second } from '../clock.ts';

const firstPause = 0.5 * second;
const longestPause = 10 * second;

type Listener = { onNotify(payload: string): void; onListen(): void; onLost(): void };

/**
 * Listens to all channels of this process on one connection, because a NOTIFY wakes every listening connection.
 * Reconnects after each loss. Messages sent before it reconnects are lost. So `onListen` runs at each start, to let the
 * caller look for missed work, and `onLost` at each loss.
 */
export function openListener(settings: pg.ClientConfig) {
  const listeners = new Map<string, Set<Listener>>();
  let client: pg.Client | null = null;
  let ready: Promise<void> = Promise.resolve();
  let pause = firstPause;
  let timer: NodeJS.Timeout | undefined;
  const all = () => [...listeners.values()].flatMap(some => [...some]);

  const start = async () => {
    const fresh = new pg.Client({ ...settings, statement_timeout: 0 });
    client = fresh;
    timer = undefined;
    // Both events may come, in either order, or only one.
    fresh.once('error', () => lost(fresh));
    fresh.once('end', () => lost(fresh));
    fresh.on('error', () => {});
    fresh.on('notification', ({ channel, payload }) => {
      for (const { onNotify } of listeners.get(channel) ?? []) onNotify(payload ?? '');
    });
    try {
      await fresh.connect();
      for (const channel of listeners.keys()) await hear(fresh, channel);
      pause = firstPause;
      for (const { onListen } of all()) onListen();
    } catch {
      lost(fresh);
    }
  };
  const hear = (on: pg.Client, channel: string) => on.query(`listen "${channel.replaceAll('"', '""')}"`);
  const lost = (which: pg.Client) => {
    if (client !== which) return;
    client = null;
    for (const { onLost } of all()) onLost();
    void which.end().catch(() => {});
    timer = setTimeout(() => (ready = start()), pause);
    pause = Math.min(pause * 2, longestPause);
  };
  /** Listens on the current connection. Without one it does nothing: the next one joins all channels when it starts. */
  const join = async (channel: string, { onListen }: Listener) => {
    const on = client;
    if (!on) return;
    await hear(on, channel).then(onListen, () => lost(on));
  };

  return async (channel: string, listener: Listener): Promise<{ unlisten(): Promise<void> }> => {
    const some = listeners.get(channel) ?? new Set();
    listeners.set(channel, some.add(listener));
    ready = client || timer ? ready.then(() => join(channel, listener)) : start();
    await ready;
    return {
      async unlisten() {
        some.delete(listener);
        if (some.size === 0) listeners.delete(channel);
        if (listeners.size > 0) return;
        clearTimeout(timer);
        timer = undefined;
        const last = client;
        client = null;
        await last?.end().catch(() => {});
      },
    };
  };
}
