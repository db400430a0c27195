import { canConfirm, openBanks, whyUnread } from '../../alerts/banks/bank-support.ts';
import { html } from '../../base/http/html.ts';
import type { World } from '../../base/world.ts';
import { fold } from '../frame/choosing.ts';
import { copyable, dangerLink, plainLink } from '../frame/controls.ts';
import type { IconName } from '../frame/icon.ts';
import { badge, facts, moment, note, rupees } from '../frame/parts.ts';
import { type Answer, notFound, type Visit } from '../frame/route.ts';
import { type ListRow, rowList } from '../frame/rows.ts';
import { shopScreen } from '../frame/shop-page.ts';
import { selectAccounts } from './queries.ts';

/** One UPI ID: what it does, what can be changed, and under Details the id that a shop's server needs. */
export async function accountPage(world: World, visit: Visit): Promise<Answer> {
  const { texts, may, params } = visit;
  const words = texts.upiAccounts;
  const accounts = await selectAccounts(world.sql, visit.merchantId);
  const account = accounts.find(one => one.account_id === params['account_id']);
  if (!account) return notFound();
  const { review_above_paise: ceiling, account_id: id } = account;
  const bank = openBanks(world).find(one => one.id === account.bank);
  const own = `/dashboard/upi-accounts/${id}`;
  const row = (to: string, face: IconName, who: string, what: string): ListRow => ({
    ...((to === 'poster' || may('upi.ceiling')) && { href: `${own}/${to}` }),
    face: { icon: face, tone: 'still' },
    who,
    what,
  });
  const checks = ceiling === null ? words.ceilingNever : words.ceilingAbove({ sum: rupees(ceiling) });
  const rows = [
    row('ceiling', 'flag', words.ceiling, checks),
    row('takings', 'sound', words.orderless, account.counts_takings ? words.orderlessOn : words.orderlessOff),
    row('poster', 'print', texts.posters.poster, account.payee_name),
  ];
  return shopScreen(visit, 'bank', { title: account.vpa })`
${account.paused && note(words.pausedWhy({ count: account.account_limit ?? 0 }))}
${account.bank === null && note(html`${words.noBank}${may('upi.change') && html` <a href="${own}/bank">${texts.shop.bank.noBank}</a>`}`, 'bad')}
${bank && !canConfirm(bank) && note(whyUnread(texts, bank), 'bad')}
${bank?.reviewOnly && note(words.reviewOnly({ bank: bank.name }))}
${rowList(rows)}
${
  may('upi.change') &&
  (!account.is_default || accounts.length === 1) &&
  html`<div class="actions">${!account.is_default && plainLink(`${own}/default`, words.makeDefault)}${dangerLink(`${own}/remove`, texts.labels.remove)}</div>`
}
${fold(
  texts.payments.one.details,
  facts([
    [words.accountId, copyable(texts, id, id, words.accountId)],
    [
      words.payeeName,
      html`<bdi>${account.payee_name}</bdi> ${account.is_default && badge(words.isDefault, 'good')}`,
    ],
    [words.kind, account.kind === 'merchant' ? words.merchant : words.personal],
    [words.code, account.merchant_code],
    [texts.labels.added, moment(account.created_at, 'date')],
  ]),
)}`;
}
