'use client';

import { useEffect, useRef, useState } from 'react';
import { askAgain } from './ask-again.ts';
import { type Answer, askJson, problemIn } from './ask-json.ts';
import type { MilaanOrder, OrderProblem, OrderStatus } from './order.ts';

export type UseMilaanOrderOptions = {
  /** For `create`, your own server: takes POST { amount }, creates the order, and returns the create response. */
  createOrderUrl?: string;
  /** Your own server: GET statusUrl + order_id returns the order. The installation is asked when left out. */
  statusUrl?: string;
  /** An order that exists already: all that is known of it, or its id alone with `statusUrl`. */
  order?: ({ order_id: string; payment_url?: string } & Partial<MilaanOrder>) | null;
  /** Called once for each order that is seen to be paid. For the screen only: the signed webhook is what counts. */
  onPaid?: (order: MilaanOrder) => void;
};

export type FollowedOrder = {
  /** Null until there is one whose state is known. */
  order: MilaanOrder | null;
  isCreating: boolean;
  /** The order is asked for every two seconds. False once it is paid, failed or given up. */
  isFollowing: boolean;
  /** What went wrong last; null again when the next answer comes. */
  problem: OrderProblem | null;
  /** Makes an order through `createOrderUrl` and follows it. Twice at once makes one. Null when it was refused. */
  create(amount?: number): Promise<MilaanOrder | null>;
  /** Asks again, also for an order that was given up. */
  refresh(): void;
};

/** The link's five minutes and the ten after it, by a clock that nobody sets: then an order is given up. */
const longest = 15 * 60_000;
const createPatience = 30_000;
const statuses: readonly OrderStatus[] = ['pending', 'paid', 'expired', 'failed', 'manual_review'];

/** An order for a screen of your own. Does nothing while a server renders. */
export function useMilaanOrder(options: UseMilaanOrderOptions): FollowedOrder {
  const { createOrderUrl, statusUrl, order: given = null } = options;
  const [known, setKnown] = useState<{ order: MilaanOrder; beside: string | null } | null>(null);
  const [isCreating, setCreating] = useState(false);
  const [isFollowing, setFollowing] = useState(false);
  const [problem, setProblem] = useState<OrderProblem | null>(null);
  const [round, setRound] = useState(0);
  const creating = useRef<Promise<MilaanOrder | null> | null>(null);
  const onPaid = useRef<UseMilaanOrderOptions['onPaid']>(undefined);
  const told = useRef<string | null>(null);

  useEffect(() => {
    onPaid.current = options.onPaid;
  });

  // What was made or heard here, unless the page has given another order since.
  const beside = given?.order_id ?? null;
  const latest = known && known.beside === beside ? known.order : given;
  const address = latest && addressOf(latest, statusUrl);

  // biome-ignore lint/correctness/useExhaustiveDependencies: its id is in the address, and news of it begin nothing anew
  useEffect(() => {
    if (!latest || !address) return;
    const began = performance.now();
    let last = latest;
    const take = (newer: MilaanOrder) => {
      last = newer;
      // Unless another was made while this was asked for.
      setKnown(was =>
        was?.beside === beside && was.order.order_id !== newer.order_id ? was : { order: newer, beside },
      );
      if (newer.status === 'paid' && told.current !== newer.order_id) {
        told.current = newer.order_id;
        onPaid.current?.(newer);
      }
      return newer.status !== 'paid' && newer.status !== 'failed';
    };
    setFollowing(true);
    const stop = askAgain(
      signal => askJson(address, { signal, cache: 'no-store' }),
      answer => {
        const newer = orderIn(answer, last);
        setProblem(newer ? null : problemIn(answer));
        const goesOn = newer ? take(newer) : ![401, 403, 404].includes(answer.status);
        const isOver = !goesOn || performance.now() - began >= longest;
        if (isOver) setFollowing(false);
        return !isOver;
      },
    );
    return () => {
      stop();
      setFollowing(false);
    };
  }, [address, beside, round]);

  async function create(amount?: number): Promise<MilaanOrder | null> {
    if (createOrderUrl === undefined) throw new Error('useMilaanOrder: create needs createOrderUrl');
    if (creating.current) return creating.current;
    const made = post(createOrderUrl, amount).then(answer => {
      const order = orderIn(answer, null);
      creating.current = null;
      setCreating(false);
      setProblem(order ? null : problemIn(answer));
      if (order) setKnown({ order, beside });
      return order;
    });
    creating.current = made;
    setCreating(true);
    return made;
  }

  return {
    order: latest && isComplete(latest) ? latest : null,
    isCreating,
    isFollowing,
    problem,
    create,
    refresh: () => setRound(round + 1),
  };
}

function post(address: string, amount: number | undefined): Promise<Answer> {
  const stop = new AbortController();
  const limit = setTimeout(() => stop.abort(), createPatience);
  return askJson(address, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify(amount === undefined ? {} : { amount }),
    signal: stop.signal,
  }).finally(() => clearTimeout(limit));
}

function addressOf(
  order: { order_id: string; payment_url?: string },
  statusUrl: string | undefined,
): string | null {
  if (statusUrl !== undefined) return statusUrl + encodeURIComponent(order.order_id);
  return order.payment_url === undefined ? null : `${order.payment_url}/status`;
}

/** A word on this order (any, when it was just made), or null: an answer about another order must not show as paid. */
function orderIn({ status, body }: Answer, before: { order_id: string } | null): MilaanOrder | null {
  if (status < 200 || status >= 300 || typeof body !== 'object' || body === null) return null;
  const told = (body as { order_id?: unknown }).order_id ?? before?.order_id;
  if (before && told !== before.order_id) return null;
  const order = { ...before, ...body };
  return isComplete(order) ? order : null;
}

function isComplete(order: object): order is MilaanOrder {
  const { order_id, status } = order as Partial<MilaanOrder>;
  return typeof order_id === 'string' && order_id !== '' && statuses.includes(status as OrderStatus);
}
