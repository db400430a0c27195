import { type Html, html } from '../../../http/html.ts';
import type { Texts } from '../../../texts/languages.ts';
import { postButton } from '../../components/controls.ts';
import { card, moment } from '../../components/parts.ts';
import type { HeldLineRow } from '../../queries/banks.ts';
import { banksHome } from './shown.ts';

/** Each line as it will be listed, with the mail around it: whoever lists it must see whose words they are. */
export function heldLineCards(
  { operatorBanks: words }: Texts,
  lines: readonly HeldLineRow[],
  bankName: (id: string) => string,
): Html {
  const one = (row: HeldLineRow) => {
    const path = `${banksHome}/lines/${row.line_id}`;
    return html`<article class="held-line" id="line-${row.line_id}">
<h3>${bankName(row.bank)}</h3>
<p class="quiet">${words.heldCount(row.held, row.businesses)} · ${words.first} ${moment(row.first_seen)}</p>
<p class="quiet">${words.asListed}</p>
<pre class="bank-words"><bdi>${row.line}</bdi></pre>
<details open><summary>${words.example}</summary><pre class="bank-words"><bdi>${row.surroundings}</bdi></pre></details>
<div class="actions">${postButton(`${path}/list`, words.list, { plain: false })}${postButton(`${path}/dismiss`, words.dismiss)}</div>
</article>`;
  };
  return card(html`<p>${words.heldText}</p>${lines.map(one)}`, { title: words.heldTitle, id: 'lines' });
}
