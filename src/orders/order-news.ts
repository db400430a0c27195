import type { World } from '../base/world.ts';

/** The token of every order whose status changed, told with the commit of the change. */
export const orderChannel = 'milaan_orders';

export type OrderNews = Awaited<ReturnType<typeof openOrderNews>>;

/** Listens for changed orders once for the whole process, on a connection of its own. */
export async function openOrderNews({ sql, log }: Pick<World, 'sql' | 'log'>) {
  const followers = new Set<(token: string | null) => void>();
  let isHearing = false;
  const notifyAll = (token: string | null) => {
    for (const tell of followers) tell(token);
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
      if (isHearing) log.warn('news of orders are not heard; every status is asked for meanwhile');
      hear(false);
    },
  );
  return {
    /** False while news would be lost: the connection is being made anew, or a pooler passes none on. */
    isHearing: () => isHearing,
    /** Tells each change by the order's token, and null where some may have been missed. Returns how to end it. */
    follow(tell: (token: string | null) => void): () => void {
      followers.add(tell);
      return () => followers.delete(tell);
    },
    stop: () => listener.unlisten(),
  };
}
