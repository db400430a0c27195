// Does what each line of standard input asks, with the TypeScript SDK or what was built of it, and answers with a line.
import { createInterface } from 'node:readline';

const { Milaan, MilaanError, WebhookRefused, finishConnect, startConnect, verifyWebhook } = await import(
  process.env.MILAAN_CLIENT
);

async function answer({ call, baseUrl, apiKey, options = {}, args = {} }) {
  if (call === 'verifyWebhook') {
    const { now, ...rest } = args.options ?? {};
    const given = { ...rest, ...(now !== undefined && { now: new Date(now * 1000) }) };
    return await verifyWebhook(Buffer.from(args.body, 'base64'), args.headers, args.secret, given);
  }
  if (call === 'startConnect') return await startConnect(baseUrl, args);
  if (call === 'finishConnect') return await finishConnect(args.kept, new URLSearchParams(args.query));
  const milaan = new Milaan({ baseUrl, apiKey, ...options });
  if (call === 'createOrder') return await milaan.createOrder(args);
  if (call === 'getOrder') return await milaan.getOrder(args.orderId);
  if (call === 'listOrders') return await milaan.listOrders(args);
  if (call === 'orders') return await all(milaan.orders(args));
  const found = await all(milaan.reconcile(args.pending));
  return found.map(one => ({ ...one, error: one.error && facts(one.error) }));
}

async function all(generator) {
  const values = [];
  for await (const value of generator) values.push(value);
  return values;
}

function facts(error) {
  return { ...error, message: error.message };
}

for await (const line of createInterface({ input: process.stdin })) {
  let said;
  try {
    said = { value: await answer(JSON.parse(line)) };
  } catch (error) {
    if (error instanceof MilaanError) said = { error: facts(error) };
    else if (error instanceof WebhookRefused) said = { refused: error.reason };
    else if (error instanceof TypeError) said = { mistake: error.message };
    else throw error;
  }
  console.log(JSON.stringify(said));
}
