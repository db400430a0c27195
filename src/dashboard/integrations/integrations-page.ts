import { type Html, html } from '../../base/http/html.ts';
import {
  copyable,
  copyButton,
  field,
  plainLink,
  postButton,
  postForm,
  whenFresh,
} from '../frame/controls.ts';
import { badge, card, emptyState, facts, moment, pageHead, table, titledCard } from '../frame/parts.ts';
import type { Visit } from '../frame/route.ts';
import type { KeyRow } from './queries.ts';

const home = '/dashboard/integrations';

export const longestKeyName = 60;

export function integrationsPage(
  visit: Visit,
  keys: readonly KeyRow[],
  baseUrl: string,
  nameFault: string | undefined,
): Html {
  const words = visit.texts.integrations;
  return html`${pageHead(visit.texts.shell.navigation.integrations, { text: words.text })}
${shopsCard(
  visit,
  keys.filter(key => key.shop_url !== null),
)}
${keysCard(
  visit,
  keys.filter(key => key.shop_url === null),
  nameFault,
)}
${secretCard(visit)}
${card(html`<p class="quiet">${words.webhookLogText}</p><div class="actions">${plainLink('/dashboard/webhooks', words.toWebhooks)}</div>`, { title: words.webhookLog })}
${codeCard(visit, baseUrl)}
${widgetCard(visit, baseUrl)}`;
}

function keysCard(visit: Visit, keys: readonly KeyRow[], nameFault: string | undefined): Html {
  const words = visit.texts.integrations;
  const columns = [
    { title: words.name, cell: (key: KeyRow) => html`<bdi>${key.name}</bdi>` },
    ...keyColumns(visit, words.created, words.revoke),
  ];
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
  return titledCard({ title: words.keys, id: 'keys' })`<p class="quiet">${words.keysText}</p>
${keys.length === 0 ? emptyState(words.keysEmptyTitle, words.keysEmptyText) : table(words.keys, keys, columns)}
${visit.may('keys.change') && whenFresh(visit, name)}`;
}

/** The columns that a key and a connected shop share, because a connection is a key. */
function keyColumns(visit: Visit, since: string, end: string) {
  const words = visit.texts.integrations;
  return [
    {
      title: visit.texts.labels.state,
      cell: (key: KeyRow) =>
        key.revoked_at
          ? html`${badge(words.revoked)} ${moment(key.revoked_at)}`
          : badge(words.working, 'good'),
    },
    { title: since, cell: (key: KeyRow) => moment(key.created_at) },
    {
      title: words.lastUsed,
      cell: (key: KeyRow) => (key.last_used_at ? moment(key.last_used_at) : visit.texts.labels.never),
    },
    {
      title: words.reads,
      cell: (key: KeyRow) => words.readsOf({ today: key.reads_today, month: key.reads }),
    },
    {
      title: visit.texts.labels.actionOn,
      quiet: true,
      cell: (key: KeyRow) =>
        key.revoked_at === null &&
        visit.may('keys.change') &&
        plainLink(`${home}/keys/${key.key_id}/revoke`, end),
    },
  ];
}

/** Nothing without a connected shop, because connecting begins in the shop. */
function shopsCard(visit: Visit, shops: readonly KeyRow[]): Html | null {
  if (shops.length === 0) return null;
  const words = visit.texts.connect;
  const columns = [
    {
      title: visit.texts.labels.shop,
      cell: (shop: KeyRow) =>
        html`<bdi>${shop.name}</bdi><br><span class="quiet"><bdi>${new URL(shop.shop_url ?? '').host}</bdi></span>`,
    },
    ...keyColumns(visit, words.connected, words.end),
    {
      title: visit.texts.integrations.secret,
      quiet: true,
      cell: (shop: KeyRow) => shop.revoked_at === null && shopSecret(visit, shop),
    },
  ];
  return titledCard({ title: words.shops, id: 'shops' })`
<p class="quiet">${words.shopsText}</p>${table(words.shops, shops, columns)}`;
}

function shopSecret(visit: Visit, { key_id, has_business_secret }: KeyRow): Html {
  const { connect, integrations } = visit.texts;
  return html`${has_business_secret && html`<p class="quiet">${connect.businessSecret}</p>`}
${visit.may('webhooks.change') && plainLink(`${home}/shops/${key_id}/secret`, integrations.rotate)}`;
}

function secretCard(visit: Visit): Html {
  const words = visit.texts.integrations;
  const buttons = () =>
    html`<div class="actions">${postButton(`${home}/secret`, words.show)}${plainLink(`${home}/secret/rotate`, words.rotate)}</div>`;
  return titledCard({ title: words.secret, id: 'secret' })`
<p class="quiet">${words.secretText}</p>${visit.may('webhooks.change') && whenFresh(visit, buttons)}`;
}

function codeCard({ texts }: Visit, baseUrl: string): Html {
  const words = texts.integrations;
  return titledCard({ title: words.code, id: 'code' })`<p class="quiet">${words.codeText}</p>
${facts([
  [words.baseUrl, copyable(texts, 'base-url', baseUrl, words.baseUrl)],
  [words.reference, html`<a href="/api/v1/openapi.json">/api/v1/openapi.json</a>`],
])}
<pre id="code-curl" tabindex="0">${curlSample(baseUrl)}</pre>
<div class="actions">${copyButton(texts, 'code-curl', 'curl')}${plainLink('/docs/integration', words.moreCode)}</div>`;
}

/** Works when pasted: it has the installation's own address, and the key in one clear place. */
export function curlSample(baseUrl: string): string {
  return `curl ${baseUrl}/api/v1/orders \\
  -H 'X-API-Key: YOUR_API_KEY' \\
  -H 'Content-Type: application/json' \\
  -d '{
    "amount": 499,
    "merchant_order_id": "cart-'"$(date +%s%N)"'",
    "success_url": "https://shop.example.com/thanks",
    "failure_url": "https://shop.example.com/cart",
    "webhook_url": "https://shop.example.com/webhooks/upi"
  }'`;
}

function widgetCard({ texts }: Visit, baseUrl: string): Html {
  const words = texts.integrations;
  return titledCard({ title: words.widget, id: 'widget' })`<p class="quiet">${words.widgetText}</p>
<pre id="code-widget" tabindex="0">${widgetSnippet(baseUrl)}</pre>
<div class="actions">${copyButton(texts, 'code-widget', words.widget)}</div>`;
}

function widgetSnippet(baseUrl: string): string {
  return `<div id="pay"></div>
<script src="${baseUrl}/embed/milaan.js"></script>
<script>
  Milaan.mount('#pay', { createOrderUrl: '/create-upi-order' });
</script>`;
}
