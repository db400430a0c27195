import pg from 'pg';
import { second } from '../clock.ts';

const firstPause = 0.5 * second;
const longestPause = 10 * second;

type Listener = { onNotify(payload: string): void; onListen(): void; onLost(): void };

/**
 * Hears every channel that this process listens to, on one connection: each NOTIFY of anybody wakes every connection that
 * listens to anything. It reconnects after every loss. What was said meanwhile is lost: `onListen` runs at each new start,
 * so that the caller looks for what it missed, and `onLost` at each loss.
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
    // Both may come, in either order, or only one of them.
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
  /** On the connection that is there; one that is made anew hears all channels from its start. */
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
