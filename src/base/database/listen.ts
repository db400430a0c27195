import pg from 'pg';
import { second } from '../clock.ts';

const firstPause = 0.5 * second;
const longestPause = 10 * second;

/**
 * Listens to a channel on a connection of its own, and reconnects after every loss. What was said meanwhile is lost:
 * `onListen` runs at each new start, so that the caller looks for what it missed, and `onLost` at each loss.
 */
export async function listen(
  settings: pg.ClientConfig,
  channel: string,
  onNotify: (payload: string) => void,
  onListen: () => void,
  onLost: () => void,
): Promise<{ unlisten(): Promise<void> }> {
  let client: pg.Client | null = null;
  let pause = firstPause;
  let timer: NodeJS.Timeout | undefined;
  let stopped = false;

  const start = async () => {
    const fresh = new pg.Client({ ...settings, statement_timeout: 0 });
    client = fresh;
    // Both may come, in either order, or only one of them.
    fresh.once('error', () => lost(fresh));
    fresh.once('end', () => lost(fresh));
    fresh.on('error', () => {});
    fresh.on('notification', ({ payload }) => onNotify(payload ?? ''));
    try {
      await fresh.connect();
      await fresh.query(`listen "${channel.replaceAll('"', '""')}"`);
      pause = firstPause;
      onListen();
    } catch {
      lost(fresh);
    }
  };
  const lost = (which: pg.Client) => {
    if (stopped || client !== which) return;
    client = null;
    onLost();
    void which.end().catch(() => {});
    timer = setTimeout(() => void start(), pause);
    pause = Math.min(pause * 2, longestPause);
  };
  await start();
  return {
    async unlisten() {
      stopped = true;
      clearTimeout(timer);
      await client?.end().catch(() => {});
    },
  };
}
