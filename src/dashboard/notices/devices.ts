import { type Html, html } from '../../base/http/html.ts';
import type { World } from '../../base/world.ts';
import { claimDevice, type Device, deleteDevice, selectDevices } from '../../outbox/pushes/queries.ts';
import { addDevice, checkSubscription, mostDevices, pushKeys } from '../../outbox/pushes/subscription.ts';
import { describeAgent } from '../account/account.ts';
import { button, dangerButton, plainLink } from '../frame/controls.ts';
import { badge, moment } from '../frame/parts.ts';
import { makeChange } from '../frame/record-change.ts';
import { type Answer, notFound, post, reauth, redirect, type Visit } from '../frame/route.ts';
import { type ListRow, rowList } from '../frame/rows.ts';
import { stillAllowed } from '../frame/still-allowed.ts';

const home = '/dashboard/shop/notifications';
const devices = '/dashboard/notices/devices';

export const devicesRoutes = [
  // Requires a recent confirmation: a device goes on receiving notices long after the sign-out.
  post(devices, reauth('self'), add),
  post(`${devices}/here`, 'self', stay),
  post(`${devices}/:device_id/remove`, 'self', remove),
];

async function add(world: World, visit: Visit): Promise<Answer> {
  const { merchantId, user, session, agent, texts, now } = visit;
  const subscription = subscriptionOf(visit);
  if (user.role === 'operator' || pushKeys(world.config) === null) return notFound();
  if (!(await checkSubscription(world, subscription))) return redirect(home, texts.pushes.failed);
  const added = await makeChange(world, visit, async tx => {
    // The DNS lookup for the push service took time, so the permission is checked again.
    await stillAllowed(tx, visit, 'self');
    const { userId } = user;
    const { sessionId } = session;
    if (!(await addDevice(tx, { merchantId, userId, sessionId, agent, subscription, now }))) return null;
    return { action: 'device.add', subject: user.email, details: describeAgent(agent) };
  });
  return redirect(home, added ? texts.pushes.turnedOn : texts.pushes.tooMany({ most: mostDevices }));
}

/** A browser with a subscription reports who has signed in on it. */
async function stay(world: World, visit: Visit): Promise<Answer> {
  const { merchantId, user, session } = visit;
  const person = { merchantId, userId: user.userId, sessionId: session.sessionId };
  return { kind: 'json', value: { known: await claimDevice(world.sql, person, subscriptionOf(visit)) } };
}

async function remove(world: World, visit: Visit): Promise<Answer> {
  const { merchantId, user, params, texts } = visit;
  const deviceId = params['device_id'] ?? '';
  const removed = await makeChange(world, visit, async tx => {
    const isGone = await deleteDevice(tx, { merchantId, userId: user.userId, deviceId });
    return isGone ? { action: 'device.remove', subject: user.email } : null;
  });
  return removed ? redirect(home, texts.labels.removed) : notFound();
}

function subscriptionOf({ form }: Visit) {
  return { endpoint: form.raw('endpoint'), p256dh: form.raw('p256dh'), auth: form.raw('auth') };
}

/** The script shows its button if the browser supports pushes and this device is not registered. */
export async function devicesSection({ sql, config }: World, visit: Visit): Promise<Html> {
  const { texts, merchantId, user, session } = visit;
  const words = texts.pushes;
  const keys = pushKeys(config);
  if (keys === null)
    return html`<section><h2>${words.devicesTitle}</h2><p class="small quiet">${words.noKey}</p>${appHints(visit)}</section>`;
  const rows = await selectDevices(sql, merchantId, user.userId);
  const turnOn = session.confirmed
    ? html`<form method="post" action="${devices}" data-push="${keys.publicKey}" hidden><input type="hidden" name="endpoint"><input type="hidden" name="p256dh"><input type="hidden" name="auth">${button(words.turnOn, { plain: true })}</form>`
    : html`<p data-push="" hidden>${plainLink(`/dashboard/confirm?next=${encodeURIComponent(home)}`, words.confirmFirst)}</p>`;
  return html`<section id="devices"><h2>${words.devicesTitle}</h2>
${rowList(rows.map(row => deviceRow(visit, row)))}
${turnOn}
<p class="error" data-push-says="denied" role="alert" hidden>${words.refusedByBrowser}</p>
<p class="error" data-push-says="failed" role="alert" hidden>${words.failed}</p>
<p class="quiet" data-push-says="iphone" hidden>${words.impossibleOnIphone}</p>
<p class="quiet" data-push-says="impossible" hidden>${words.impossible}</p>
${appHints(visit)}</section>`;
}

function deviceRow({ texts }: Visit, row: Device): ListRow {
  const words = texts.pushes;
  return {
    who: html`${describeAgent(row.agent)} <span data-device="${row.endpoint}" hidden>${badge(words.thisDevice, 'good')}</span>`,
    what: html`${words.lastNotified}: ${row.last_told_at ? moment(row.last_told_at) : texts.labels.noneYet}`,
    state: dangerButton(`${devices}/${row.device_id}/remove`, texts.labels.remove),
  };
}

/** Only the browser knows what it can install, so the script shows the sentence that applies. */
function appHints({ texts: { pushes: words } }: Visit): Html {
  return html`<p class="small quiet" data-app="browser">${words.installElsewhere}</p>
<p class="small quiet" data-app="iphone" hidden>${words.installOnIphone}</p>
<p data-app="offered" hidden><button type="button" class="button plain">${words.install}</button></p>`;
}
