import { type Html, html } from '../../base/http/html.ts';
import { fold } from '../frame/choosing.ts';
import { copyable, field, plainLink, postButton, postForm, whenConfirmed } from '../frame/controls.ts';
import { facts, moment } from '../frame/parts.ts';
import type { Answer, Visit } from '../frame/route.ts';
import { type ListRow, pageRow, rowList, state } from '../frame/rows.ts';
import { shopScreen } from '../frame/shop-page.ts';
import type { KeyRow } from './queries.ts';

const home = '/dashboard/integrations';

export const longestKeyName = 60;

export function integrationsPage(
  visit: Visit,
  keys: readonly KeyRow[],
  baseUrl: string,
  nameFault: string | undefined,
): Answer {
  const { texts, merchantId } = visit;
  const words = texts.integrations;
  const shops = keys.filter(key => key.shop_url !== null);
  const own = keys.filter(key => key.shop_url === null);
  return shopScreen(visit, 'integrations', {
    status: nameFault === undefined ? 200 : 400,
  })`<div class="stack groups">${shops.length > 0 && shopsSection(visit, shops)}
${keysSection(visit, own, nameFault)}
${secretSection(visit)}
<section>${rowList([
    pageRow('/dashboard/webhooks', 'log', words.webhookLog, words.webhookLogText),
    pageRow('/docs/integration', 'code', words.code, words.codeText),
    pageRow('/docs/widget', 'phone', words.widget, words.widgetText),
  ])}${fold(
    texts.payments.one.details,
    facts([
      [words.baseUrl, copyable(texts, 'base-url', baseUrl, words.baseUrl)],
      [words.reference, html`<a href="/api/v1/openapi.json">/api/v1/openapi.json</a>`],
      [
        texts.business.businessId,
        copyable(texts, 'business-id', String(merchantId), texts.business.businessId),
      ],
    ]),
  )}</section></div>`;
}

function keysSection(visit: Visit, keys: readonly KeyRow[], nameFault: string | undefined): Html {
  const words = visit.texts.integrations;
  const name = () =>
    postForm(
      `${home}/keys`,
      words.create,
      field('name', words.name, {
        hint: words.nameHint,
        value: visit.form.text('name'),
        error: nameFault,
        maxlength: longestKeyName,
        required: true,
      }),
    );
  return html`<section id="api-keys"><h2>${words.keys}</h2><p class="small quiet">${words.keysText}</p>
<div class="wrapped">${rowList(keys.map(key => keyRow(visit, key, words.revoke)))}</div>
${visit.may('keys.change') && whenConfirmed(visit, name)}</section>`;
}

/** A key, or a connected shop, because a connection is a key. */
function keyRow(visit: Visit, key: KeyRow, end: string): ListRow {
  const { labels, integrations: words } = visit.texts;
  const used = key.last_used_at ? moment(key.last_used_at) : labels.never;
  return {
    face: { icon: key.shop_url === null ? 'key' : 'link', tone: 'still' },
    who: html`<bdi>${key.name}</bdi>`,
    what: html`${key.shop_url !== null && html`<bdi>${new URL(key.shop_url).host}</bdi> · `}${labels.lastUsed}: ${used}${key.reads > 0 && html` · ${words.reads}: ${words.readsOf({ today: key.reads_today, month: key.reads })}`}`,
    state: key.revoked_at
      ? html`${state(words.revoked, 'quiet', { open: true })} ${moment(key.revoked_at, 'date')}`
      : visit.may('keys.change')
        ? plainLink(`${home}/keys/${key.key_id}/revoke`, end)
        : state(words.working, 'good'),
  };
}

/** Nothing without a connected shop, because connecting begins in the shop. */
function shopsSection(visit: Visit, shops: readonly KeyRow[]): Html {
  const { connect: words, integrations } = visit.texts;
  const rotations = shops.filter(({ revoked_at }) => revoked_at === null && visit.may('webhooks.change'));
  return html`<section id="shops"><h2>${words.shops}</h2><p class="small quiet">${words.shopsText}</p>
<div class="wrapped">${rowList(shops.map(shop => keyRow(visit, shop, words.end)))}</div>
${
  rotations.length > 0 &&
  fold(
    integrations.rotate,
    html`<div class="actions">${rotations.map(({ key_id, name }) => plainLink(`${home}/shops/${key_id}/secret`, name))}</div>`,
  )
}</section>`;
}

function secretSection(visit: Visit): Html {
  const words = visit.texts.integrations;
  const buttons = () =>
    html`<div class="actions">${postButton(`${home}/secret`, words.show)}${plainLink(`${home}/secret/rotate`, words.rotate)}</div>`;
  return html`<section id="secret"><h2>${words.secret}</h2><p class="small quiet">${words.secretText}</p>
${visit.may('webhooks.change') && whenConfirmed(visit, buttons)}</section>`;
}
