import type { World } from '../../base/world.ts';
import { writeTakings } from '../../business/merchants/queries.ts';
import { because } from '../../texts/verdicts.ts';
import { confirmPage, hidden } from '../frame/controls.ts';
import { makeChange } from '../frame/record-change.ts';
import { type Answer, notFound, redirect, type Visit } from '../frame/route.ts';
import { selectAccount } from './queries.ts';

const home = '/dashboard/upi-accounts';

/** Says what it means to count money that comes without an order, or to stop it. */
export async function askTakings(world: World, visit: Visit): Promise<Answer> {
  const words = visit.texts.upiAccounts;
  const account = await selectAccount(world.sql, visit.merchantId, visit.params['account_id']);
  if (!account) return notFound();
  const { counts_takings: counts, vpa } = account;
  return confirmPage(visit, {
    title: words.takingsTitle(vpa),
    consequences: counts ? words.stopConsequences : words.countConsequences,
    submit: counts ? words.stopTakings : words.countTakings,
    fields: [hidden({ takings: counts ? 'off' : 'on' })],
    danger: counts,
    back: home,
  });
}

export async function changeTakings(world: World, visit: Visit): Promise<Answer> {
  const { merchantId, form, texts } = visit;
  const account = await selectAccount(world.sql, merchantId, visit.params['account_id']);
  const takings = form.text('takings');
  if (!account || (takings !== 'on' && takings !== 'off')) return notFound();
  const { vpa, account_id: subject } = account;
  const changed = await makeChange(world, visit, async tx => {
    if (!(await writeTakings(tx, merchantId, subject, takings === 'on'))) return null;
    const notice = because(takings === 'on' ? 'upi_takings' : 'upi_no_takings', { vpa });
    return { action: 'upi_account.takings', subject, details: { vpa, takings }, notice };
  });
  return changed ? redirect(home, texts.upiAccounts.ceilingFlash(vpa)) : notFound();
}
