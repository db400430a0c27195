import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { promisify } from 'node:util';
import { inflate } from 'node:zlib';
import { bankNames } from '../../alerts/banks/bank-names.ts';
import { seenKeys } from '../../alerts/judging/queries/keys.ts';
import { selectPaidMail } from '../../alerts/judging/queries/paid-alerts.ts';
import { splitHeaders } from '../../alerts/mail/split-headers.ts';
import { restoreMessageId } from '../../alerts/origin/restore-message-id.ts';
import type { World } from '../../base/world.ts';
import { selectMoneyDeeds } from '../../business/accounts/queries/audit.ts';
import { packZip } from '../../developers/clients/pack-zip.ts';
import { selectPurpose } from '../../orders/links/queries.ts';
import { listDeliveries } from '../../outbox/webhooks/list-deliveries.ts';
import { selectMark } from '../../payments/statements/queries/marks.ts';
import { makeChange } from '../frame/record-change.ts';
import { type Answer, fresh, get, notFound, page, post, type Visit } from '../frame/route.ts';
import { selectClaims, selectMoneyOfOrder } from '../money/queries/money.ts';
import { type OrderAlert, selectAlertsOfOrder, selectOneOrder } from '../orders/queries.ts';
import { evidencePage } from './evidence-page.ts';
import { orderPage, orderPath } from './order-page.ts';
import type { OrderView } from './order-view.ts';

export const oneOrderRoutes = [
  get('/dashboard/orders/:order_id', 'business.read', showOrder),
  post('/dashboard/orders/:order_id/evidence', fresh('evidence.export'), takeEvidence),
];

async function showOrder(world: World, visit: Visit): Promise<Answer> {
  const view = await readView(world, visit);
  if (!view) return notFound();
  const { order_id: orderId } = view.order;
  const isPart = visit.query.text('part') === 'live';
  // Whichever of the two was asked for, its forms lead back to the page.
  const seenFrom = { ...visit, url: isPart ? orderPath(orderId) : visit.url };
  const body = orderPage(seenFrom, view);
  // Without the frame around it, which would take a message that another page is to show.
  return isPart ? { kind: 'fragment', body } : page({ title: orderId, body });
}

async function takeEvidence(world: World, visit: Visit): Promise<Answer> {
  const view = await readView(world, visit);
  const paying = view?.alerts.find(alert => alert.verdict === 'paid');
  if (view?.order.status !== 'paid' || !paying) return notFound();
  const { order_id: subject } = view.order;
  const content = await evidencePack(world, visit, view, paying);
  await makeChange(world, visit, async () => ({
    action: 'evidence.export',
    subject,
    details: sha256(content),
  }));
  return { kind: 'download', name: `evidence-${subject}.zip`, type: 'application/zip', content };
}

async function readView(world: World, { merchantId, params, now }: Visit): Promise<OrderView | null> {
  const orderId = params['order_id'] ?? '';
  const order = await selectOneOrder(world.sql, merchantId, orderId, now);
  if (!order) return null;
  const [alerts, money, claims, purpose, mark, { deliveries }] = await Promise.all([
    selectAlertsOfOrder(world.sql, merchantId, orderId),
    selectMoneyOfOrder(world.sql, merchantId, order, now),
    selectClaims(world.sql, merchantId, orderId),
    selectPurpose(world.sql, merchantId, orderId),
    selectMark(world.sql, merchantId, orderId),
    listDeliveries(world, merchantId, { orderId }),
  ]);
  const deeds = await selectMoneyDeeds(
    world.sql,
    merchantId,
    money.map(credit => credit.alert_id),
  );
  const bankName = bankNames(world);
  const { baseUrl } = world;
  return { order, alerts, money, claims, deeds, deliveries, purpose, mark, baseUrl, bankName };
}

const mostKeys = 50;

/** Everything that shows how an order was paid, for somebody who need not believe us. */
async function evidencePack({ sql }: World, visit: Visit, view: OrderView, alert: OrderAlert) {
  const { raw: packed, read_by: readBy } = await selectPaidMail(sql, visit.merchantId, alert.alert_id);
  const raw = packed && (await promisify(inflate)(packed).catch(() => null));
  const mail = raw && splitHeaders(raw);
  const restored = mail?.outcome === 'split' ? restoreMessageId(mail) : null;
  const keyName = `${alert.selector}._domainkey.${alert.signing_domain}`.toLowerCase();
  const proof = { alert, readBy, isGone: raw === null, isRestored: restored !== null };
  const files: Record<string, string | Buffer> = { 'evidence.html': evidencePage(visit, view, proof).text };
  if (raw) {
    files['mail.eml'] = raw;
    if (restored) files['mail-as-signed.eml'] = restored.raw;
    const times = (from: Date, to: Date) => `from ${from.toISOString()} to ${to.toISOString()}`;
    files['dkim-key.txt'] = (await seenKeys(sql, keyName, mostKeys))
      .map(key => `${keyName} TXT "${key.record}" ; seen in DNS ${times(key.first_seen, key.last_seen)}\n`)
      .join('');
    // For Debian's python3-dkim, which knows nothing of us.
    files['verify.py'] = readFileSync(new URL('./verify-evidence.py', import.meta.url));
  }
  const sums = Object.entries(files).map(([name, content]) => `${sha256(content)}  ${name}\n`);
  const named = Object.entries({ ...files, SHA256SUMS: sums.join('') });
  return packZip(new Map(named.map(([name, content]) => [name, Buffer.from(content)])));
}

function sha256(content: string | Buffer): string {
  return createHash('sha256').update(content).digest('hex');
}
