import { later } from '../../base/clock.ts';
import { html, trusted } from '../../base/http/html.ts';
import type { World } from '../../base/world.ts';
import { inviteByPhone } from '../../business/accounts/join-by-phone.ts';
import { phoneLinkValidFor } from '../../business/accounts/links.ts';
import type { UserRow } from '../../business/accounts/queries/users.ts';
import { qrSvg } from '../../orders/upi-link.ts';
import { because } from '../../texts/verdicts.ts';
import { fold } from '../frame/choosing.ts';
import { copyable } from '../frame/controls.ts';
import { moment } from '../frame/parts.ts';
import { makeChange } from '../frame/record-change.ts';
import type { Answer, Visit } from '../frame/route.ts';
import { shopScreen } from '../frame/shop-page.ts';

/** The name of a person who joined by phone, or the mail address that people sign in with. */
export function nameOf({ name, email }: Pick<UserRow, 'name' | 'email'>): string {
  return name ?? email;
}

/** The only page that ever shows the link; only its hash is stored. */
export async function showPhoneLink(
  world: World,
  visit: Visit,
  name: string,
  known?: UserRow,
): Promise<Answer> {
  const { texts, merchantId, user, now, business } = visit;
  const words = texts.business;
  const link = await makeChange(
    world,
    visit,
    tx => inviteByPhone(tx, world, { merchantId, name, by: user.email }, known),
    () => {
      const notice = because('invited', { email: name, role: because('cashier') });
      return { action: 'member.invite', subject: name, details: 'cashier', notice };
    },
  );
  const message = words.phoneMessage({ name, business: business.name, link });
  return shopScreen(visit, 'team', { title: words.addCashier })`<div class="stack middle">
<div class="qr" role="img" aria-label="${words.joinQr}">${trusted(qrSvg(link))}</div>
<p><strong>${words.letScan({ name })}</strong><br><span class="small quiet">${words.worksOnce} ${moment(later(now, phoneLinkValidFor))}</span></p></div>
<div class="actions two"><a class="button" href="https://wa.me/?text=${encodeURIComponent(message)}" target="_blank" rel="noreferrer">${texts.counter.whatsapp}</a>
<button type="button" class="button plain" data-share="${link}" data-share-text="${words.invite}" hidden>${texts.counter.share}</button></div>
<p class="small quiet middle">${words.phoneSafe}</p>
${fold(words.inviteLink, html`<p>${copyable(texts, 'invitation', link, words.inviteLink)}</p>`)}`;
}
