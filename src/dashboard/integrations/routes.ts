import { later } from '../../base/clock.ts';
import type { Transaction } from '../../base/database/connect.ts';
import { type Html, html } from '../../base/http/html.ts';
import { readName } from '../../base/read-name.ts';
import type { World } from '../../base/world.ts';
import { createApiKey, mostKeys, revokeApiKey } from '../../business/merchants/create-api-key.ts';
import { lockMerchant } from '../../business/merchants/queries.ts';
import { rotateShopSecret } from '../../developers/connect/agree-to-connect.ts';
import { revealWebhookSecret, rotateWebhookSecret } from '../../outbox/webhooks/reveal-webhook-secret.ts';
import { bothSecretsFor } from '../../outbox/webhooks/sign-webhook.ts';
import { because } from '../../texts/verdicts.ts';
import { confirmPage, copyable, hidden, plainLink } from '../frame/controls.ts';
import { moment, note } from '../frame/parts.ts';
import { makeChange } from '../frame/record-change.ts';
import { type Answer, get, notFound, post, reauth, redirect, type Visit } from '../frame/route.ts';
import { shopScreen } from '../frame/shop-page.ts';
import { integrationsPage, longestKeyName } from './integrations-page.ts';
import { countWorkingKeys, type KeyRow, selectKeys } from './queries.ts';

const home = '/dashboard/integrations';
const keys = reauth('keys.change');
const secret = reauth('webhooks.change');

export const integrationsRoutes = [
  get(home, 'business.read', showIntegrations),
  post(`${home}/keys`, keys, createKey),
  get(`${home}/keys/:key_id/revoke`, keys, askRevocation),
  post(`${home}/keys/:key_id/revoke`, keys, revokeKey),
  get(`${home}/shops/:key_id/secret`, secret, askShopRotation),
  post(`${home}/shops/:key_id/secret`, secret, rotateShop),
  post(`${home}/secret`, secret, showSecret),
  get(`${home}/secret/rotate`, secret, askRotation),
  post(`${home}/secret/rotate`, secret, rotateSecret),
];

async function showIntegrations(world: World, visit: Visit, nameFault?: string): Promise<Answer> {
  const rows = await selectKeys(world.sql, visit.merchantId, visit.now);
  return integrationsPage(visit, rows, world.baseUrl, nameFault);
}

async function createKey(world: World, visit: Visit): Promise<Answer> {
  const { texts, form, merchantId } = visit;
  const words = texts.integrations;
  const name = readName(form.text('name'), longestKeyName);
  if (name === null) return await showIntegrations(world, visit, texts.business.nameFault);
  const create = async (tx: Transaction) => {
    // Keys are counted one request at a time, or a hundred requests at once would pass the limit.
    await lockMerchant(tx, merchantId);
    const mayCreate = (await countWorkingKeys(tx, merchantId)) < mostKeys;
    return mayCreate ? await createApiKey(tx, world, merchantId, name) : null;
  };
  const made = await makeChange(world, visit, create, key => {
    const notice = because('key_created', { name });
    return key && { action: 'api_key.create', subject: key.keyId, details: name, notice };
  });
  if (!made) return await showIntegrations(world, visit, words.tooMany({ most: mostKeys }));
  // The POST itself answers: a redirect would have to keep the key somewhere.
  return shownOnce(
    visit,
    words.newKey({ name }),
    words.newKeyOnce,
    copyable(texts, 'new-key', made.apiKey, words.keys),
  );
}

function shownOnce(visit: Visit, title: string, once: string, value: Html): Answer {
  return shopScreen(visit, 'integrations', { title })`${note(once)}<p>${value}</p>
<div class="actions">${plainLink(home, visit.texts.integrations.newKeyKept)}</div>`;
}

async function findKey(world: World, { merchantId, params, now }: Visit): Promise<KeyRow | undefined> {
  const rows = await selectKeys(world.sql, merchantId, now);
  return rows.find(key => key.key_id === params['key_id'] && key.revoked_at === null);
}

async function askRevocation(world: World, visit: Visit): Promise<Answer> {
  const words = visit.texts.integrations;
  const key = await findKey(world, visit);
  if (!key) return notFound();
  const shop = key.shop_url === null ? null : visit.texts.connect;
  return confirmPage(visit, {
    title: shop ? shop.endTitle(key) : words.revokeTitle(key),
    consequences: shop ? shop.endConsequences : words.revokeConsequences,
    submit: shop ? shop.end : words.revoke,
    back: home,
  });
}

async function revokeKey(world: World, visit: Visit): Promise<Answer> {
  const key = await findKey(world, visit);
  if (!key) return notFound();
  const done = await makeChange(world, visit, async tx => {
    if (!(await revokeApiKey(tx, world, visit.merchantId, key.key_id))) return null;
    const notice = because('key_revoked', { name: key.name });
    return { action: 'api_key.revoke', subject: key.key_id, details: key.name, notice };
  });
  const { connect, integrations } = visit.texts;
  const flash = key.shop_url === null ? integrations.revokedFlash : connect.endedFlash;
  return done ? redirect(home, flash({ name: key.name })) : notFound();
}

async function showSecret(world: World, visit: Visit): Promise<Answer> {
  const words = visit.texts.integrations;
  const reveal = (tx: Transaction) => revealWebhookSecret(tx, world, visit.merchantId);
  const audited = { action: 'webhook_secret.show', subject: 'webhook secret' } as const;
  const revealed = await makeChange(world, visit, reveal, found => found && audited);
  if (!revealed) return notFound();
  return shopScreen(visit, 'integrations', { title: words.secret })`
${note(words.secretOnly)}<p>${copyable(visit.texts, 'webhook-secret', revealed.secret, words.secret)}</p>
${revealed.oldSignsUntil && html`<p class="quiet">${words.oldSigns} ${moment(revealed.oldSignsUntil)}</p>`}`;
}

async function askRotation(world: World, visit: Visit): Promise<Answer> {
  const words = visit.texts.integrations;
  const present = await revealWebhookSecret(world.sql, world, visit.merchantId);
  if (!present) return notFound();
  const { oldSignsUntil, rotatedAt } = present;
  return rotationPage(visit, words.rotateTitle, words.rotateConsequences, rotatedAt, oldSignsUntil !== null);
}

function rotationPage(
  visit: Visit,
  title: string,
  consequences: readonly string[],
  rotatedAt: Date | null,
  isRecent: boolean,
): Answer {
  const { rotate, rotateAgain } = visit.texts.integrations;
  return confirmPage(visit, {
    title,
    consequences: [...(isRecent ? [rotateAgain] : []), ...consequences],
    submit: rotate,
    back: home,
    fields: [hidden({ rotated_at: rotatedAt?.toISOString() ?? '' })],
  });
}

/** The secret that the page showed. A second click, or an old page, finds another one and changes nothing. */
function spokenOf({ form }: Visit): { lastRotatedAt: Date | null } | null {
  const text = form.text('rotated_at');
  const lastRotatedAt = text === '' ? null : new Date(text);
  // JavaScript knows years that the database refuses.
  const isTime = lastRotatedAt === null || (/^2\d{3}-/.test(text) && !Number.isNaN(lastRotatedAt.getTime()));
  return form.has('rotated_at') && isTime ? { lastRotatedAt } : null;
}

async function rotateSecret(world: World, visit: Visit): Promise<Answer> {
  const spoken = spokenOf(visit);
  if (!spoken) return redirect(`${home}/secret/rotate`);
  await makeChange(world, visit, async tx => {
    if (!(await rotateWebhookSecret(tx, world, visit.merchantId, spoken.lastRotatedAt))) return null;
    const notice = because('webhook_secret_replaced');
    return { action: 'webhook_secret.rotate', subject: 'webhook secret', notice };
  });
  return redirect(home, visit.texts.integrations.rotatedFlash);
}

async function askShopRotation(world: World, visit: Visit): Promise<Answer> {
  const { rotateTitle, rotateConsequences } = visit.texts.connect;
  const key = await findKey(world, visit);
  if (!key || key.shop_url === null) return notFound();
  const { name, secret_rotated_at: at } = key;
  const isRecent = at !== null && later(at, bothSecretsFor) > visit.now;
  return rotationPage(visit, rotateTitle({ name }), rotateConsequences, at, isRecent);
}

async function rotateShop(world: World, visit: Visit): Promise<Answer> {
  const { merchantId, params, texts } = visit;
  const keyId = params['key_id'] ?? '';
  const key = await findKey(world, visit);
  if (!key || key.shop_url === null) return notFound();
  const spoken = spokenOf(visit);
  if (!spoken) return redirect(`${home}/shops/${keyId}/secret`);
  const rotate = (tx: Transaction) => rotateShopSecret(tx, world, { merchantId, keyId, ...spoken });
  const rotated = await makeChange(world, visit, rotate, done => {
    if (!done?.isNew) return null;
    const notice = because('shop_secret_replaced', { name: done.shopName });
    return { action: 'connection.rotate', subject: keyId, details: done.shopName, notice };
  });
  if (!rotated) return notFound();
  // The POST itself answers, and shows the secret this once.
  const { connect, integrations } = texts;
  const secret = copyable(texts, 'shop-secret', rotated.secret, integrations.secret);
  return shownOnce(visit, connect.newSecret({ name: rotated.shopName }), connect.newSecretOnce, secret);
}
