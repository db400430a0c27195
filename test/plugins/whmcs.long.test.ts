import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { whmcsFiles } from '../../scripts/whmcs-files.ts';
import { needs } from '../support/needs.ts';
import { until } from '../support/until.ts';
import { openWholeService } from '../support/whole-service.ts';
import { openWhmcs } from './whmcs/open-whmcs.ts';
import { callback, paidEvent, playInvoices } from './whmcs/play-invoices.ts';

/** WHMCS is commercial and was NOT run: what its documentation says of its functions is played by test/plugins/whmcs. */
const { prepare, test, use } = needs('PHP');

let played: ReturnType<typeof playInvoices>;
const service = use(openWholeService);
const whmcs = use(() =>
  openWhmcs({
    baseUrl: service.url,
    apiKey: service.merchant.apiKey,
    webhookSecret: service.webhookSecret,
    paymentAccountId: '',
  }),
);
prepare(async () => {
  played = playInvoices(service, whmcs);
});

let invoices = 100;
function newInvoice(total: number, more: { userid?: number; status?: string } = {}): number {
  const id = ++invoices;
  whmcs.change(books => {
    books.invoices[id] = { userid: 1, total, status: 'Unpaid', transactions: [], ...more };
  });
  return id;
}
const invoice = (id: number) => whmcs.books().invoices[id]!;

const lastMail = () => whmcs.books().mails.at(-1)?.custommessage ?? '';

test('Milaan’s webhook pays an invoice: its sum, once, under the order’s id', async () => {
  const id = newInvoice(1499.5);
  assert.match(await played.page(id), /Pay &lt;Now&gt;/);
  assert.deepEqual(await played.ordersOf(id), [], 'looking at an invoice makes no order');
  const answer = await played.press(id);
  assert.equal(answer.status, 303, whmcs.said());
  await played.press(id);
  const orders = await played.ordersOf(id);
  assert.ok(orders.length <= 2, 'two presses make one order, or two where a slot of time ended between');
  const order = orders.at(-1)!;
  assert.match(answer.headers.get('location') ?? '', new RegExp(`^${service.url}/pay/`));
  assert.equal(Number(order.amount), 1499.5);
  await service.pay(Number(order.payable_amount), '615300112244');
  await until('the invoice is paid', () => invoice(id).status === 'Paid');
  assert.deepEqual(invoice(id).transactions, [
    { transid: order.order_id, amountin: 1499.5, gateway: 'milaan' },
  ]);
  // The module's log is written after the invoice: WHMCS knows no transaction around both.
  await until('the payment is logged', () => whmcs.books().log.length > 0);
  const { status, data } = whmcs.books().log.at(-1)!;
  assert.equal(status, 'Success');
  assert.equal((data as Record<string, unknown>)['bank_reference'], '615300112244');
  assert.doesNotMatch(JSON.stringify(whmcs.books().log), /Asha|payer|customer/);
  assert.equal((await played.press(id)).headers.get('location'), `${whmcs.url}viewinvoice.php?id=${id}`);
});

test('without a valid signature nothing is paid, whatever the address or the form say', async () => {
  const id = newInvoice(700);
  const order = await played.startedOrder(id);
  const event = paidEvent(order);
  const forged = `whsec_${Buffer.alloc(32).toString('base64')}`;
  assert.equal(await played.send(event, { secret: forged }), 400);
  assert.equal(await played.send(event, { age: 301_000 }), 400);
  assert.equal(await played.send(event, { age: -360_000 }), 400);
  for (const query of [
    `?status=paid&invoice=${id}`,
    `?order_id=${order.order_id}&merchant_order_id=${order.merchant_order_id}`,
  ]) {
    assert.equal((await fetch(whmcs.url + callback + query)).status, 400);
    const form = { method: 'POST', body: new URLSearchParams(query.slice(1)) };
    assert.equal((await fetch(whmcs.url + callback + query, form)).status, 400);
    assert.equal(await played.send(event, { secret: forged, query }), 400);
  }
  const long = { method: 'POST', body: 'x'.repeat(70_000) };
  assert.equal((await fetch(whmcs.url + callback, long)).status, 413);
  assert.deepEqual(invoice(id), { userid: 1, total: 700, status: 'Unpaid', transactions: [] });
});

test('one event delivered eight times, at once and again, is one transaction', async () => {
  const id = newInvoice(320);
  const event = paidEvent(await played.startedOrder(id));
  whmcs.change(books => {
    books.meets = true;
  });
  const answers = await Promise.all(Array.from({ length: 8 }, () => played.send(event)));
  assert.deepEqual(new Set(answers), new Set([204]));
  whmcs.change(books => {
    books.meets = false;
  });
  assert.equal(await played.send(event), 204);
  assert.equal(invoice(id).transactions.length, 1);
  assert.equal(whmcs.books().clients[1]!['credit'], 0);
});

test('a sum other than the link’s adds nothing, and a person is notified', async () => {
  const id = newInvoice(900);
  const order = await played.startedOrder(id);
  for (const change of [
    { amount: 1 },
    { amount: 9000 },
    { amount: '' },
    { payable_amount: 1 },
    { received_amount: 0 },
  ]) {
    assert.equal(await played.send(paidEvent(order, change)), 204);
    assert.match(lastMail(), /not what this invoice.*nothing was added/);
  }
  for (const change of [
    { status: 'manual_review' },
    { merchant_order_id: 'woo-1-1-abcdefghij' },
    { merchant_order_id: order.merchant_order_id.replace(/.$/, '-') },
  ])
    assert.equal(await played.send(paidEvent(order, change)), 204);
  assert.deepEqual(invoice(id).transactions, []);
});

test('a smaller sum that a person accepted in Milaan is added, and the invoice stays open', async () => {
  const id = newInvoice(600);
  assert.equal(await played.send(paidEvent(await played.startedOrder(id), { received_amount: 450 })), 204);
  assert.equal(invoice(id).status, 'Unpaid');
  assert.deepEqual(
    invoice(id).transactions.map(({ amountin }) => amountin),
    [450],
  );
  const more = newInvoice(601);
  assert.equal(await played.send(paidEvent(await played.startedOrder(more), { received_amount: 999 })), 204);
  assert.deepEqual(
    invoice(more).transactions.map(({ amountin }) => amountin),
    [601],
  );
});

test('money for an invoice that was cancelled, deleted or changed is always reported', async () => {
  const cancelled = newInvoice(510);
  const first = paidEvent(await played.startedOrder(cancelled));
  whmcs.change(books => {
    books.invoices[cancelled]!.status = 'Cancelled';
  });
  assert.equal(await played.send(first), 204);
  assert.deepEqual(invoice(cancelled).transactions, []);
  assert.match(lastMail(), /"Cancelled&quot;|&quot;Cancelled&quot; in INR/);
  const deleted = newInvoice(511);
  const second = paidEvent(await played.startedOrder(deleted));
  whmcs.change(books => {
    delete books.invoices[deleted];
  });
  assert.equal(await played.send(second), 204);
  assert.match(lastMail(), /not there any more/);
  const changed = newInvoice(512);
  const third = paidEvent(await played.startedOrder(changed));
  whmcs.change(books => {
    books.invoices[changed]!.total = 800;
  });
  assert.equal(await played.send(third), 204);
  assert.equal(invoice(changed).status, 'Unpaid');
  assert.match(lastMail(), /had Rs 800\.00 to pay/);
});

test('the second payment of an invoice becomes credit, and a person is notified', async () => {
  const id = newInvoice(250);
  const order = await played.startedOrder(id);
  assert.equal(await played.send(paidEvent(order)), 204);
  assert.equal(await played.send(paidEvent(order, { order_id: 'ML-0000000002' })), 204);
  assert.equal(whmcs.books().clients[1]!['credit'], 250);
  assert.match(lastMail(), /what is over is credit/);
});

test('a payment that WHMCS refused is answered 500, and the next delivery adds it', async () => {
  const id = newInvoice(333);
  const event = paidEvent(await played.startedOrder(id));
  whmcs.change(books => {
    books.fails = true;
  });
  assert.equal(await played.send(event), 500);
  whmcs.change(books => {
    books.fails = false;
  });
  assert.equal(await played.send(event), 204);
  assert.equal(invoice(id).status, 'Paid');
});

test('only a client who was shown an invoice starts its payment', async () => {
  const [id, other] = [newInvoice(410), newInvoice(411)];
  assert.equal((await played.press(id, { invoice: String(other) })).status, 400);
  assert.equal((await played.press(id, { token: '' })).status, 400);
  assert.equal(
    (await played.press(id, { token: `${Math.floor(Date.now() / 1000)}.${'0'.repeat(64)}` })).status,
    400,
  );
  assert.equal((await played.press(id, { invoice: '1e3' })).status, 400);
  assert.deepEqual([...(await played.ordersOf(id)), ...(await played.ordersOf(other))], []);
});

test('currencies other than rupees are refused, also if WHMCS would convert them', async () => {
  const id = newInvoice(500, { userid: 2 });
  assert.match(await played.page(id), /Indian rupees only/);
  whmcs.change(books => {
    books.gateway['convertto'] = '1';
  });
  assert.match(await played.page(id), /Indian rupees only/);
  const inr = newInvoice(501);
  const order = await played.startedOrder(inr);
  whmcs.change(books => {
    books.invoices[inr]!.userid = 2;
  });
  assert.equal(await played.send(paidEvent(order)), 204);
  assert.deepEqual(invoice(inr).transactions, []);
});

test('missing or wrong settings prevent payments and are reported', async () => {
  const id = newInvoice(420);
  const event = paidEvent(await played.startedOrder(id));
  const { gateway } = whmcs.books();
  const set = (change: Record<string, string>) =>
    whmcs.change(books => {
      books.gateway = { ...gateway, ...change };
    });
  set({ webhookSecret: '' });
  assert.equal(await played.send(event, { secret: 'whsec_AAAA' }), 500);
  set({ type: '' });
  assert.equal(await played.send(event), 503);
  assert.equal((await played.press(id)).status, 503);
  set({ apiKey: 'ml_test_nobody' });
  assert.match(await (await played.press(id)).text(), /could not be started.*Back to the invoice/);
  set({ baseUrl: 'nowhere' });
  assert.match(await (await played.press(id)).text(), /not set up yet/);
  set({});
  assert.deepEqual(invoice(id).transactions, []);
});

test('a payment is added in one place, after the signature check; every file parses and refuses to be opened directly', async () => {
  const { files } = whmcsFiles();
  const ours = [...files].filter(([name]) => name.endsWith('.php') && !name.endsWith('Milaan.php'));
  const adders = ours.filter(([, text]) => text.includes('addInvoicePayment('));
  assert.deepEqual(
    adders.map(([name]) => name),
    ['modules/gateways/milaan/take-webhook.php'],
  );
  assert.equal(adders[0]![1].toString().match(/addInvoicePayment\(/g)?.length, 1);
  for (const [name, text] of ours) {
    await promisify(execFile)('php', ['-l', join(whmcs.folder, name)]);
    if (!name.includes('/callback/')) assert.match(text.toString(), /if \(!defined\('WHMCS'\)\)/, name);
  }
  assert.deepEqual(files.get('modules/gateways/milaan/Milaan.php'), readFileSync('sdk/php/Milaan.php'));
  assert.doesNotMatch(whmcs.said(), /PHP (?:Warning|Notice|Deprecated|Fatal)/);
});
