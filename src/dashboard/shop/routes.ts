import { listeningState } from '../../alerts/forwarding/forwarding-state.ts';
import { type HtmlValue, html } from '../../base/http/html.ts';
import type { World } from '../../base/world.ts';
import { listMembers } from '../../business/accounts/queries/users.ts';
import { titleOf } from '../../business/merchants/plans.ts';
import { logoAddress } from '../../orders/page/shop-brand.ts';
import { roundRupees, screen } from '../frame/parts.ts';
import { type Answer, get, lead, type Visit } from '../frame/route.ts';
import { letterFace, pageRow, rowList, state } from '../frame/rows.ts';
import { shopHome, shopPages } from '../frame/shop-page.ts';
import { selectPlanUsage } from '../plan/queries.ts';
import { selectAccounts } from '../upi-accounts/queries.ts';
import { bankRoutes } from './bank.ts';
import { customersRoutes } from './customers.ts';
import { privacyPageRoutes } from './privacy-page.ts';
import { selectBrand } from './queries.ts';
import { rulesRoutes } from './rules.ts';

export const shopRoutes = [
  get(shopHome, 'business.read', shopIndex),
  lead('/dashboard/settings', shopHome),
  ...bankRoutes,
  ...customersRoutes,
  ...rulesRoutes,
  ...privacyPageRoutes,
];

async function shopIndex(world: World, visit: Visit): Promise<Answer> {
  const { texts, merchantId, now, merchant, user, may } = visit;
  const { shop: words, shell } = texts;
  const [{ isListening }, accounts, members, usage, brand] = await Promise.all([
    listeningState(world.sql, merchantId, now),
    selectAccounts(world.sql, merchantId),
    listMembers(world.sql, merchantId),
    selectPlanUsage(world.sql, merchantId, now),
    selectBrand(world.sql, merchantId),
  ]);
  const listening = isListening ? state(shell.listening, 'good') : state(shell.notListening, 'bad');
  const hints: Record<(typeof shopPages)[number]['name'], HtmlValue> = {
    ...words.hints,
    bank: html`${listening} · ${words.upiIds({ count: accounts.length })}`,
    team: words.people({ count: members.length }),
    plan:
      usage && words.planUsed({ plan: titleOf(usage)[texts.tag], sum: roundRupees(usage.collected_paise) }),
  };
  const rows = shopPages
    .filter(({ permission }) => may(permission))
    .map(({ name, path, icon }) => pageRow(path, icon, words.pages[name], hints[name]));
  const address = logoAddress({ ...brand, merchant_id: merchantId });
  const face = letterFace(merchant.name);
  const logo =
    address === null
      ? html`<span class="mark large" aria-hidden="true">${'letter' in face ? face.letter : '·'}</span>`
      : html`<img class="mark large" src="${address}" alt="" width="56" height="56">`;
  return screen(shell.navigation.shop, { quietOnPhone: true })`
<div class="beside">${logo}<div><h2><bdi>${merchant.name}</bdi></h2><p class="small quiet"><bdi>${user.name}</bdi> · ${shell.roles[user.role]}</p></div></div>
<div class="shop-index">${rowList(rows)}</div>`;
}
