import type { World } from '../base/world.ts';

/** Carries the token of every order whose status changed. It is sent with the commit of the change. */
export const orderChannel = 'milaan_orders';

export type OrderNews = Awaited<ReturnType<typeof openOrderNews>>;

/** Listens for changed orders once for the whole process, on its own connection. */
export async function openOrderNews({ sql, log }: Pick<World, 'sql' | 'log'>) {
  const followers = new Set<(token: string | null) => void>();
  let isHearing = false;
  const notifyAll = (token: string | null) => {
    for (const notify of followers) notify(token);
  };
  const hear = (now: boolean) => {
    isHearing = now;
    notifyAll(null);
  };
  const listener = await sql.listen(
    orderChannel,
    notifyAll,
    () => hear(true),
    () => {
      if (isHearing) log.warn('order notifications are not received; statuses are polled until they are');
      hear(false);
    },
  );
  return {
    /** False while notifications could be lost: the connection is down, or a pooler does not pass them on. */
    isHearing: () => isHearing,
    /** Reports each change by the order's token, and null if some may have been missed. Returns how to end it. */
    follow(notify: (token: string | null) => void): () => void {
      followers.add(notify);
      return () => followers.delete(notify);
    },
    stop: () => listener.unlisten(),
  };
}
