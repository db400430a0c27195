import { html } from '../../base/http/html.ts';
import type { World } from '../../base/world.ts';
import { qrSvg } from '../../orders/qr-code.ts';
import { upiAccountLink } from '../../orders/upi-link.ts';
import { posterPage } from '../frame/poster-page.ts';
import { type Answer, notFound, type Visit } from '../frame/route.ts';
import { selectAccount } from './queries.ts';

/** A sheet for the wall with the account's own QR code: any UPI app scans it, and the customer types the sum. */
export async function showPoster(world: World, visit: Visit): Promise<Answer> {
  const { texts, merchantId, params } = visit;
  const account = await selectAccount(world.sql, merchantId, params['account_id']);
  if (!account) return notFound();
  const { vpa, payee_name: payeeName, kind, merchant_code: merchantCode } = account;
  return posterPage(visit, {
    title: vpa,
    back: '/dashboard/upi-accounts',
    which: texts.posters.whichAccount,
    qr: qrSvg(upiAccountLink({ vpa, payeeName, kind, merchantCode })),
    qrName: texts.posters.ofAccount,
    words: ({ posters }) => html`<p><strong>${posters.scan}</strong></p><p>${posters.anyApp}</p>`,
    below: html`<strong><bdi>${vpa}</bdi></strong><br><bdi>${payeeName}</bdi>`,
  });
}
