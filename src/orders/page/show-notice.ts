import { withDeadline } from '../../base/database/with-deadline.ts';
import { type Html, html } from '../../base/http/html.ts';
import { earlyDays, hiddenDays } from '../../base/retention.ts';
import type { World } from '../../base/world.ts';
import { insertFacts } from '../../texts/insert-facts.ts';
import { productName } from '../../texts/name-platform.ts';
import { contactWays, frame, type PageFiles, type PageTexts } from './page-frame.ts';
import { selectNotice } from './queries.ts';

const endless = Number.POSITIVE_INFINITY;

type Shown = { merchantId: number; texts: PageTexts; files: PageFiles; back: string };

/**
 * The shop's notice to its customers, composed from facts about the installation and the shop: who keeps what, for how
 * long, why, and whom to ask. Only an order or a link leads to it, so nobody can list the shops.
 */
export async function showNotice(
  world: Pick<World, 'sql' | 'config' | 'baseUrl'>,
  { merchantId, texts, files, back }: Shown,
): Promise<Html> {
  const [shop] = await withDeadline(selectNotice(world.sql, merchantId));
  const { keeps, history_days: window } = shop!;
  const words = texts.notice;
  const early = earlyDays(world.config.keep, keeps);
  /** Kept with the order, or for a shorter time. */
  const said = (days = endless) => {
    const most = Math.min(days, window === null ? endless : window + hiddenDays);
    return most === endless ? words.always : insertFacts(words.days, { days: String(most) });
  };
  const kept: [string, string][] = [
    [words.order, said()],
    [words.mail, said(early.raw_mails)],
    [words.claim, said(early.claims)],
    [words.payment, words.always],
  ];
  const operator = world.config.operator.name;
  const body = html`
<main><section class="card notice">
<h1>${words.link}</h1>
<p>${insertFacts(words.who, { shop: shop!.shop, service: productName.en })}${operator !== null && html` ${insertFacts(words.operator, { operator })}`}</p>
<h2>${words.what}</h2>
<ul>${kept.map(([what, long]) => html`<li>${what} <span class="quiet">${long}</span></li>`)}</ul>
<h2>${words.why}</h2>
<p>${words.whyText}</p>
<h2>${words.rights}</h2>
<p>${insertFacts(words.rightsText, { shop: shop!.shop })}</p>
<div class="contact">${contactWays(texts, shop!, words.link)}</div>
<p class="quiet">${words.board}</p>
<p><a class="go second" href="${back}?lang=${texts.tag}">${words.back}</a></p>
</section></main>`;
  const title = `${words.link} · ${shop!.shop}`;
  const shared = { brand: shop!, title, about: texts.safety, baseUrl: world.baseUrl };
  return frame({ texts, files, title, body, refresh: null, script: false, shop: shared });
}
