import { second } from '../../src/base/clock.ts';
import { waitFor } from '../../test/support/wait-for.ts';
import type { Bank } from './bank.ts';
import type { Checkout } from './checkout.ts';
import type { Stage } from './stage.ts';

/** The results of one scene's payments. */
export type SceneRow = {
  scene: string;
  struck: boolean;
  created: number;
  paid: number;
  missed: number;
  deliveredTwice: number;
  /** From the mail's handing over to the shop's answer, in milliseconds. */
  longestDelay: number;
};

/** A retry by schedule comes within these; what has not come by then counts as missed. */
const patience = 150 * second;

export async function sceneRow(
  { shop }: Stage,
  { checkout, bank }: { checkout: Checkout; bank: Bank },
  scene: string,
  since: number,
  struck: boolean,
): Promise<SceneRow> {
  const orders = checkout.orders.filter(({ askedAt }) => askedAt >= since);
  const paid = orders.filter(({ orderId }) => bank.paid.has(orderId));
  const unnotified = () => paid.filter(({ orderId }) => !shop.notified.has(orderId));
  await waitFor('every shop to be told', () => unnotified().length === 0, patience).catch(() => {});
  const notified = paid.flatMap(({ orderId }) => shop.notified.get(orderId) ?? []);
  const mailed = new Map(bank.mails.toReversed().map(({ reference, at }) => [reference, at]));
  const delays = notified.map(({ reference, firstAt }) => firstAt - (mailed.get(reference ?? '') ?? firstAt));
  return {
    scene,
    struck,
    created: orders.length,
    paid: paid.length,
    missed: unnotified().length,
    deliveredTwice: notified.filter(({ times }) => times > 1).length,
    longestDelay: Math.max(0, ...delays),
  };
}

export function sayRow({
  scene,
  struck,
  created,
  paid,
  missed,
  deliveredTwice,
  longestDelay,
}: SceneRow): string {
  const cells = [
    scene,
    struck ? 'yes' : 'NO',
    created,
    paid,
    missed,
    deliveredTwice,
    `${(longestDelay / second).toFixed(1)} s`,
  ];
  return `| ${cells.join(' | ')} |`;
}

export function tableOf(rows: readonly SceneRow[]): string[] {
  return [
    '| scene | struck | created | paid | missed | delivered twice | longest delay |',
    '| --- | --- | --- | --- | --- | --- | --- |',
    ...rows.map(sayRow),
  ];
}
