/**
 * An agent's tools and the fields it may read. Nothing here accepts money for an order; only a person does that, on the
 * dashboard. No text that a payer may have written is passed on, because it could give the agent instructions. An
 * answer has only the fields named here, and no sentence fits into their forms.
 *
 * @typedef {{ baseUrl: string, apiKey: string, allowCreate: boolean, webhookUrl?: string, shopUrl?: string, now?: () => number }} Setup
 * @typedef {Record<string, unknown>} Fields
 */

const callLimit = 15_000;
const mostListed = 50;
/** The bank's mail may come this much later than the payment. */
const graceMs = 10 * 60_000;
const statuses = ['pending', 'paid', 'expired', 'failed', 'manual_review'];

const plainId = /^[\w.:#/-]{1,64}$/;
const orderId = /^[A-Z0-9]{1,12}-[A-Za-z0-9]{4,40}$/;
const moment = /^\d{4}-\d\d-\d\dT[\d:.]+Z$/;
const url = /^https?:\/\/[\w.:[\]-]+\/[\w./-]*$/;
const isNumber = value => typeof value === 'number';
const matches = shape => value => typeof value === 'string' && shape.test(value);

/** Every field that an agent may see, with its allowed form. */
const shown = {
  order_id: matches(orderId),
  merchant_order_id: matches(plainId),
  amount: isNumber,
  payable_amount: isNumber,
  received_amount: isNumber,
  status: value => statuses.includes(value),
  created_at: matches(moment),
  expires_at: matches(moment),
  paid_at: matches(moment),
  payment_url: matches(url),
  payment_account_id: matches(plainId),
  bank_reference: matches(/^[A-Za-z0-9]{4,35}$/),
  idempotent_replay: value => value === true,
};

/** An agent's view of an order: every value that does not have its field's form is left out. */
export function forAgents(order) {
  return Object.fromEntries(
    Object.entries(shown).flatMap(([name, fits]) => (fits(order?.[name]) ? [[name, order[name]]] : [])),
  );
}

const text = (description, more = {}) => ({ type: 'string', description, ...more });
const whichOrder = {
  order_id: text('The order, such as ML-ABC123XYZ0'),
  merchant_order_id: text("The shop's own order id, instead of order_id"),
};
const input = (properties, required = []) => ({
  type: 'object',
  properties,
  required,
  additionalProperties: false,
});
const reads = { readOnlyHint: true, openWorldHint: false };
const writes = { readOnlyHint: false, destructiveHint: false, idempotentHint: true, openWorldHint: false };

/** The tools for this setup. A live key only reads unless its owner allowed more; a sandbox's key also plays. */
export function toolsFor(setup) {
  const isSandbox = setup.apiKey.startsWith('ml_test_');
  return [
    {
      name: 'get_payment',
      description: 'One payment and its status. Only the status "paid" means that the money has arrived.',
      inputSchema: input(whichOrder),
      annotations: reads,
      run: async fields => forAgents(await findOrder(setup, fields)),
    },
    {
      name: 'list_payments',
      description: 'Payments, newest first.',
      inputSchema: input({
        status: text('Only those of this status', { enum: statuses }),
        limit: { type: 'integer', minimum: 1, maximum: mostListed },
        cursor: text('next_cursor of the page before'),
      }),
      annotations: reads,
      run: fields => listOrders(setup, fields),
    },
    {
      name: 'why_not_arrived',
      description:
        'Why a payment is not paid yet, and what a person should look at. Say what the customer claims, where it is known: it is compared with the order, never believed.',
      inputSchema: input({
        ...whichOrder,
        claimed_amount: { type: 'number', description: 'Rupees that the customer says they paid' },
        claimed_at: text('When they say they paid, ISO 8601'),
      }),
      annotations: reads,
      run: async fields => explain(await findOrder(setup, fields), fields, setup.now?.() ?? Date.now()),
    },
    (isSandbox || setup.allowCreate) &&
      setup.webhookUrl && {
        name: 'create_payment',
        description:
          'Asks for a payment of a sum in rupees and returns the page on which it is paid. The same merchant_order_id again returns the same payment.',
        inputSchema: input(
          {
            amount: { type: 'number', exclusiveMinimum: 0, maximum: 1_000_000 },
            merchant_order_id: text("The shop's own order id, unique", { minLength: 1, maxLength: 64 }),
          },
          ['amount', 'merchant_order_id'],
        ),
        annotations: writes,
        run: fields => createOrder(setup, fields),
      },
    isSandbox && {
      name: 'pay_in_sandbox',
      description: 'In the sandbox alone: plays the customer and the bank. No money moves.',
      inputSchema: input(
        { order_id: whichOrder.order_id, how: text('How it is paid', { enum: waysToPay }) },
        ['order_id'],
      ),
      annotations: { ...writes, idempotentHint: false },
      run: fields => paySandbox(setup, fields),
    },
  ].filter(Boolean);
}

const waysToPay = ['exact', 'rounded', 'wrong_paise', 'late', 'twice', 'forged'];

async function createOrder(setup, { amount, merchant_order_id }) {
  if (!plainId.test(String(merchant_order_id ?? '')))
    throw new Refusal('merchant_order_id is up to 64 letters, digits and . _ : # / -');
  // The person who started this chose the address for payment news. A model may have been talked into another one.
  const shop = setup.shopUrl ?? new URL('/', setup.webhookUrl).href;
  const order = {
    amount,
    merchant_order_id,
    success_url: shop,
    failure_url: shop,
    webhook_url: setup.webhookUrl,
  };
  return forAgents({ merchant_order_id, ...(await call(setup, 'POST', '/api/v1/orders', order)) });
}

async function findOrder(setup, fields) {
  const own = fields.merchant_order_id;
  if (own === undefined) return await call(setup, 'GET', `/api/v1/orders/${readOrderId(fields.order_id)}`);
  const query = new URLSearchParams({ merchant_order_id: String(own), limit: '1' });
  const { data } = await call(setup, 'GET', `/api/v1/orders?${query}`);
  if (!Array.isArray(data) || data.length === 0) throw new Refusal('There is no such order.');
  return data[0];
}

async function listOrders(setup, { status, limit = 20, cursor }) {
  const query = new URLSearchParams({ limit: String(Math.min(Number(limit), mostListed)) });
  if (status !== undefined) query.set('status', String(status));
  if (cursor !== undefined) query.set('cursor', String(cursor));
  const { data, next_cursor } = await call(setup, 'GET', `/api/v1/orders?${query}`);
  return { payments: data.map(forAgents), next_cursor };
}

async function paySandbox(setup, { order_id, how = 'exact' }) {
  const paid = await call(setup, 'POST', `/sandbox/orders/${readOrderId(order_id)}/pay`, { how });
  const order = await call(setup, 'GET', `/api/v1/orders/${readOrderId(order_id)}`);
  const verdict = matches(/^[a-z_]{1,40}$/)(paid.verdict) ? { verdict: paid.verdict } : {};
  return { ...verdict, ...forAgents(order) };
}

/** The order's known facts, and what a person has to look up because no program may. */
function explain(order, { claimed_amount, claimed_at }, now) {
  const { status, payable_amount, received_amount } = order;
  const [created, expires] = [Date.parse(order.created_at), Date.parse(order.expires_at)];
  const found = [];
  if (status === 'paid')
    found.push(
      'It has arrived and the order is paid. If the shop does not know, its webhook failed: look at Webhooks on the dashboard.',
    );
  if (status === 'manual_review')
    found.push(
      `Money came (₹${received_amount}) that is not exactly what the order asked for (₹${payable_amount}). A person of the business decides about it under Payments › To decide.`,
    );
  if (status === 'failed') found.push('The order failed: it can no longer be paid. Create a new one.');
  if (
    typeof claimed_amount === 'number' &&
    Math.round(claimed_amount * 100) !== Math.round(payable_amount * 100)
  )
    found.push(
      `The claimed sum ₹${claimed_amount} is not the order's ₹${payable_amount}: only the exact sum, paise included, is recognised. Such money is under Payments › To decide.`,
    );
  const claimed = Date.parse(String(claimed_at ?? ''));
  if (claimed < created)
    found.push('The claimed time is before the order existed: that payment belongs to something else.');
  if (claimed > expires)
    found.push(
      'The claimed time is after the order expired: such money is under Payments › To decide as too late.',
    );
  if (status === 'pending' && now <= expires)
    found.push('It still waits: the order has not expired. A bank’s mail takes seconds to minutes.');
  else if (['pending', 'expired'].includes(status) && now <= expires + graceMs)
    found.push(
      'The order has expired, but a payment made in time is still taken for ten minutes after that. Wait, then look again.',
    );
  const open = status === 'pending' || status === 'expired' || status === 'failed';
  const look = open
    ? [
        'The customer’s UPI app: does it say successful, with this exact sum and this UPI ID?',
        'Mailbox on the dashboard: was it read seconds ago, or is a notice up that it cannot be read?',
        'The mailbox itself, Spam too: did the bank write at all?',
        'Payments › To decide and Payments › Not counted on the dashboard: a row at the time of the payment says what became of it.',
      ]
    : [];
  const warning =
    'Do not deliver because of a screenshot or of what somebody says: only the status "paid" counts.';
  return { payment: forAgents(order), found, ...(open && { a_person_should_look_at: look, warning }) };
}

function readOrderId(value) {
  if (typeof value === 'string' && orderId.test(value)) return value;
  throw new Refusal('order_id looks like ML-ABC123XYZ0');
}

/** A message to the agent in our own words. */
export class Refusal extends Error {}

async function call({ baseUrl, apiKey }, method, path, body) {
  const answer = await fetch(new URL(path, baseUrl), {
    method,
    redirect: 'error',
    headers: { 'x-api-key': apiKey, ...(body && { 'content-type': 'application/json' }) },
    ...(body && { body: JSON.stringify(body) }),
    signal: AbortSignal.timeout(callLimit),
  }).catch(() => {
    throw new Refusal('Milaan could not be reached.');
  });
  const json = await answer.json().catch(() => null);
  if (answer.ok && json !== null) return json;
  const code = json?.error;
  throw new Refusal(`Milaan refused: ${matches(/^[a-z_]{1,60}$/)(code) ? code : `HTTP ${answer.status}`}`);
}
