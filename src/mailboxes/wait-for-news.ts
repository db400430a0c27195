import type { Connection } from './open-connection.ts';

/**
 * Waits in IDLE until the server announces mail, `limit` passes, or the session ends. Only ever a hint: whoever waits
 * looks again afterwards. `news` may be set already, by mail announced while something else was read.
 */
export async function waitForNews(
  connection: Connection,
  limit: number,
  news: { heard: boolean; wake: () => void },
): Promise<void> {
  const { client } = connection;
  let timer: NodeJS.Timeout | undefined;
  const over = new Promise<void>(resolve => {
    timer = setTimeout(resolve, limit);
    news.wake = resolve;
    if (news.heard) resolve();
  });
  if (!news.heard && client.capabilities.has('IDLE')) {
    // It ends when the next command breaks it, or with the session; a server that refuses IDLE is polled.
    client.idle().catch(() => {});
  }
  try {
    await Promise.race([over, connection.closed]);
  } finally {
    clearTimeout(timer);
    news.wake = () => {};
  }
}
