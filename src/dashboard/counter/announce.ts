import type { Queryable } from '../../base/database/connect.ts';
import { type Html, html } from '../../base/http/html.ts';
import type { World } from '../../base/world.ts';
import { writeCountsOrderless } from '../../business/merchants/queries.ts';
import { because } from '../../texts/verdicts.ts';
import { hidden } from '../frame/controls.ts';
import { recordChange } from '../frame/record-change.ts';
import { type Answer, nextPath, post, reauth, redirect, type Visit } from '../frame/route.ts';
import { counterPath } from './payment-page.ts';

const path = `${counterPath}/announce` as const;

export const announceRoutes = [
  post(path, reauth('upi.ceiling'), (world, visit) => answer(world, visit, true)),
  // It changes nothing about payments, so no recent confirmation is needed.
  post(`${path}/no`, 'upi.ceiling', (world, visit) => answer(world, visit, false)),
];

type Unasked = { account_id: string; vpa: string };

/** UPI IDs whose payments without an order stay silent although nobody has said so. */
export async function findUnasked(sql: Queryable, merchantId: number): Promise<Unasked[]> {
  return await sql<Unasked[]>`
    select account_id, vpa from upi_accounts
    where merchant_id = ${merchantId} and removed_at is null and not counts_takings and not takings_asked
    order by created_at, account_id`;
}

/** Asked once, where it first matters: on the sound box and on the poster of a UPI ID. Only an owner is asked. */
export function announceQuestion(
  { texts, may }: Visit,
  unasked: readonly Unasked[],
  next: string,
): Html | null {
  if (unasked.length === 0 || !may('upi.ceiling')) return null;
  const { announce: words } = texts;
  // The page's own main button stays its only filled one.
  const form = (action: string, text: string) =>
    html`<form method="post" action="${action}">${hidden({ next })}<button class="button wide plain">${text}</button></form>`;
  return html`<section class="card asks"><p><b>${words.ask}</b></p><p class="quiet">${words.text}</p><div class="buttons">${form(path, words.yes)}${form(`${path}/no`, words.no)}</div></section>`;
}

async function answer(world: World, visit: Visit, counts: boolean): Promise<Answer> {
  const { merchantId, form, texts } = visit;
  const choice = counts ? 'on' : 'off';
  await world.sql.begin(async tx => {
    for (const { account_id: subject, vpa } of await findUnasked(tx, merchantId)) {
      if (!(await writeCountsOrderless(tx, merchantId, subject, counts))) continue;
      const notice = because(counts ? 'upi_takings' : 'upi_no_takings', { vpa });
      const details = { vpa, takings: choice };
      await recordChange(tx, visit, {
        action: 'upi_account.takings',
        subject,
        details,
        ...(counts && { notice }),
      });
    }
  });
  return redirect(nextPath(form, counterPath), texts.announce[counts ? 'isOn' : 'isOff']);
}
