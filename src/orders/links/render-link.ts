import { type Html, html } from '../../base/http/html.ts';
import { mostOffset, mostUsualOffset, type Paise, paise, rupeesText } from '../../base/money.ts';
import { customerTexts } from '../../texts/customer-texts.ts';
import { put } from '../../texts/put.ts';
import { formatAmount } from '../page/format-amount.ts';
import { frame, type PageFiles, type PageTexts } from '../page/page-frame.ts';
import { shopName } from '../page/shop-look.ts';
import type { ShownState } from './link-state.ts';
import type { ShopsLink } from './queries.ts';

type LinkView = {
  link: ShopsLink;
  baseUrl: string;
  state: ShownState;
  texts: PageTexts;
  files: PageFiles;
  problem?: string;
  /** The amount as it was typed, to be mended. */
  typed?: string;
};

/** In the look of the payment page, and complete without script: a form with one button. */
export function renderLink(view: LinkView): Html {
  const { link, state, texts, files, baseUrl } = view;
  const { ended, soldOut } = texts.link;
  const { shopCannot } = customerTexts(texts.tag).widget;
  const body = html`
<main><section class="card ask">
${shopName(link, texts.paying)}
<p class="what"><bdi>${link.title}</bdi></p>
${state === 'open' ? form(view) : html`<p class="note" role="status">${{ sold_out: soldOut, halted: shopCannot, ended, withdrawn: ended }[state]}</p>`}
</section></main>`;
  const title = `${link.title} · ${link.shop}`;
  const amount = link.amount_paise === null ? null : formatAmount(link.amount_paise).text;
  const shared =
    amount === null || state !== 'open' ? title : `${put(texts.title, amount, link.shop)} · ${link.title}`;
  const shop = { look: link, title: shared, about: texts.safety, baseUrl };
  const notice = `/l/${link.token}/privacy`;
  return frame({ texts, files, title, body, refresh: null, script: false, notice, shop });
}

function form({ link, texts, problem, typed = '' }: LinkView): Html {
  const words = texts.link;
  const { amount_paise, least_paise, most_paise } = link;
  return html`<form method="post">
${problem !== undefined && html`<p class="note" id="problem" role="alert">${problem}</p>`}
${
  amount_paise === null && least_paise !== null && most_paise !== null
    ? html`<label for="amount">${words.amount}</label>
<div class="rupees"><span aria-hidden="true">₹</span><input id="amount" name="amount" inputmode="decimal" autocomplete="off" required value="${typed}" maxlength="12" aria-describedby="limits${problem === undefined ? '' : ' problem'}"${problem !== undefined && html` aria-invalid="true" autofocus`}></div>
<p class="quiet" id="limits">${put(words.limits, shown(least_paise), shown(most_paise))}</p>`
    : amount_paise !== null && html`<p class="price">${formatAmount(amount_paise).text}</p>`
}
<button class="go">${words.pay}</button>
<p class="quiet">${put(words.paise, formatAmount(paise(link.cap_added ? mostUsualOffset : mostOffset)).text)}</p>
</form>`;
}

function shown(value: Paise): string {
  return value % 100 === 0 ? `₹${formatAmount(value).rupees}` : `₹${rupeesText(value)}`;
}
