import { type Html, html } from '../../base/http/html.ts';
import { readReference } from '../../base/read-reference.ts';
import type { World } from '../../base/world.ts';
import { fromAll } from '../../operator/cells/in-each-cell.ts';
import { merchantOfToken } from '../../orders/pay-token.ts';
import type { Texts } from '../../texts/languages.ts';
import { field, postForm } from '../frame/controls.ts';
import { card, screen, table } from '../frame/parts.ts';
import { recordChange } from '../frame/record-change.ts';
import { type Answer, redirect, type Visit } from '../frame/route.ts';
import { home } from './change-business.ts';
import { type Hit, selectHits, selectLinkHit } from './queries/support.ts';

const longestText = 300;
/** A link's too. */
const payToken = /(?<![\w-])[\w-]{30}(?![\w-])/;

export function findCard({ operatorPlatform: platform, labels }: Texts, value = ''): Html {
  const fields = field('text', platform.find, { hint: platform.findHint, value, required: true });
  return card(postForm(`${home}/find`, labels.show, fields));
}

/** Answers a customer's or a bank's question: whose is it? A change like any other, for it is written down. */
export async function findOwner(world: World, visit: Visit): Promise<Answer> {
  const { texts, form } = visit;
  const words = texts.operatorPlatform;
  const text = form.text('text').slice(0, longestText);
  if (text === '') return redirect(home);
  const token = payToken.exec(text)?.[0];
  const merchantId = token === undefined ? null : merchantOfToken(token);
  const reference = readReference(text);
  const kind = token !== undefined ? 'page' : reference ? 'reference' : text.includes('@') ? 'vpa' : 'order';
  const found = await fromAll(world, ({ sql }) =>
    merchantId === null ? selectHits(sql, text, reference ?? '') : selectLinkHit(sql, merchantId, token!),
  );
  await world.sql.begin(async tx => {
    const hits = found.map(({ merchant_id, kind }) => `${words.hits[kind]}: ${merchant_id}`).join(', ');
    // Never what was typed: it is a customer's reference or UPI ID, or a payment page's secret address (R10).
    const details = { kind: words.hits[kind], count: String(found.length), hits };
    await recordChange(tx, visit, { action: 'operator.find', subject: '', details });
  });
  const columns = [
    {
      title: texts.labels.business,
      cell: (hit: Hit) => html`<a href="${home}/businesses/${hit.merchant_id}"><bdi>${hit.name}</bdi></a>`,
    },
    { title: words.oddKind, cell: (hit: Hit) => words.hits[hit.kind] },
  ];
  const back = { href: home, text: texts.shell.navigation.operator };
  return screen(words.find, { back })`
${card(found.length === 0 ? html`<p role="status">${words.findNone}</p>` : table(words.find, found, columns))}
${findCard(texts, text)}`;
}
