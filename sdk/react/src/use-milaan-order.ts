'use client';

import { useEffect, useRef, useState } from 'react';
import { askAgain } from './ask-again.ts';
import { type Answer, askJson, problemIn } from './ask-json.ts';
import type { MilaanOrder, OrderProblem, OrderStatus } from './order.ts';

export type UseMilaanOrderOptions = {
  /** For `create`, your server: takes POST { amount }, creates the order, and returns the create response. */
  createOrderUrl?: string;
  /** Your server: GET statusUrl + order_id returns the order. When left out, the installation is asked. */
  statusUrl?: string;
  /** An existing order: all its known fields, or only its id together with `statusUrl`. */
  order?: ({ order_id: string; payment_url?: string } & Partial<MilaanOrder>) | null;
  /** Called once for each order that becomes paid. For the screen only: the signed webhook is what counts. */
  onPaid?: (order: MilaanOrder) => void;
};

export type FollowedOrder = {
  /** Null until an order's state is known. */
  order: MilaanOrder | null;
  isCreating: boolean;
  /** The order is polled every two seconds. False once it is paid, failed or given up. */
  isFollowing: boolean;
  /** The last problem; null again after the next answer. */
  problem: OrderProblem | null;
  /** Makes an order through `createOrderUrl` and follows it. Two calls at once make one. Null if it was refused. */
  create(amount?: number): Promise<MilaanOrder | null>;
  /** Asks again, also about an order that was given up. */
  refresh(): void;
};

/** Gives an order up after the link's five minutes and ten more, by a clock that nobody can set. */
const longest = 15 * 60_000;
const createPatience = 30_000;
const statuses: readonly OrderStatus[] = ['pending', 'paid', 'expired', 'failed', 'manual_review'];

/** An order for your own screen. Does nothing while a server renders. */
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

  // The order made or received here, unless the page has passed another one since.
  const beside = given?.order_id ?? null;
  const latest = known && known.beside === beside ? known.order : given;
  const address = latest && addressOf(latest, statusUrl);

  // biome-ignore lint/correctness/useExhaustiveDependencies: its id is in the address; new facts restart nothing
  useEffect(() => {
    if (!latest || !address) return;
    const began = performance.now();
    let last = latest;
    const take = (newer: MilaanOrder) => {
      last = newer;
      // Unless another order was made during this request.
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

/** This order's state (any order's, just after a create), or null: another order's answer must not show as paid. */
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
