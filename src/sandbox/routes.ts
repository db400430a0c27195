import type { FastifyRequest } from 'fastify';
import { mostMailBytes } from '../alerts/mail/limits.ts';
import { second } from '../base/clock.ts';
import { ApiError } from '../base/http/api-error.ts';
import type { App } from '../base/http/app.ts';
import { readJsonBody } from '../base/http/json-body.ts';
import { paise, rupeesText } from '../base/money.ts';
import type { Config } from '../base/settings/config.ts';
import { isThisMachine } from '../base/settings/config-values.ts';
import { changeAccountBank } from '../business/merchants/upi-accounts.ts';
import { holdsNearMisses, updateHoldNearMisses } from '../payments/matching/queries/payments.ts';
import { handOverMail } from './hand-over-mail.ts';
import { moveClock } from './move-clock.ts';
import {
  demoAccounts,
  firstAccount,
  openDemoSeller,
  restoreDemoSettings,
  sellerAccount,
} from './open-demo-merchant.ts';
import { falseEnd, payOrder } from './pay-order.ts';
import type { Playground } from './playground.ts';
import { forgetHistory, readBooked, readDefaultAccount, restoreAccounts } from './queries.ts';
import { mostLead } from './sandbox-clock.ts';
import { mostNames } from './sandbox-dns.ts';
import { readSandboxFile, type SandboxFile, writeSandboxFile } from './sandbox-file.ts';
import { type ScenarioName, scenarioNames, scenarios } from './scenarios.ts';
import { bookedOn } from './write-alert.ts';

/** For a shop's tests and CI, and for the sandbox bar. No API key is needed: the only data is the demo business's. */
export function sandboxRoutes(app: App, playground: Playground): void {
  const { world, keys, demo } = playground;
  // Matched by the route, because a path can be written in many ways.
  app.addHook('onRequest', async request => {
    if (request.routeOptions.url?.startsWith('/sandbox/') && isForeign(request, world.config))
      throw new ApiError('foreign_origin');
  });
  app.post('/sandbox/orders/:order_id/pay', async request => {
    const { order_id: orderId } = request.params as { order_id: string };
    const verdicts = await payOrder(playground, orderId, readScenario(request));
    return { ...verdicts.at(-1), verdicts };
  });

  app.get('/sandbox/scenarios', async () => ({
    data: scenarioNames.map(how => ({ how, ...scenarios[how] })),
  }));

  app.get('/sandbox/statement.csv', async (_, reply) =>
    reply.type('text/csv; charset=utf-8').send(await writeStatement(playground)),
  );

  app.post('/sandbox/mail', { bodyLimit: mostMailBytes }, request =>
    handOverMail(playground, readMail(request)),
  );

  app.put('/sandbox/dns/:name', async (request: FastifyRequest) => {
    const record = readRecord(request);
    if (!world.dns.put(record.name, record.value)) {
      throw invalid(`the sandbox remembers at most ${mostNames} names; reset it`);
    }
    keys.askAgain();
    return record;
  });

  app.put('/sandbox/account', request => changeDemoAccount(playground, readAccount(request)));

  app.get('/sandbox/settings', async () => ({
    hold_near_misses: await holdsNearMisses(world.sql, demo.merchantId),
  }));
  app.put('/sandbox/settings', async request => {
    const settings = readSettings(request);
    await updateHoldNearMisses(world.sql, demo.merchantId, settings.hold_near_misses);
    return settings;
  });

  app.post('/sandbox/clock', async request => {
    if (!(await moveClock(playground, readAdvance(request)))) {
      throw invalid('the clock would be more than ten years ahead; reset the sandbox');
    }
    return timeOf(playground);
  });

  app.post('/sandbox/reset', async () => {
    await resetSandbox(playground);
    return timeOf(playground);
  });
}

function timeOf({ world: { clock } }: Playground) {
  return { now: clock.now().toISOString(), ahead_seconds: clock.leadMs() / second };
}

/**
 * Whether another site's page sends this request from the browser of somebody who runs a sandbox. It could otherwise
 * move the clock or play payments unnoticed. Programs send no origin. Our own page's origin equals the requested host.
 * That host must be this machine unless the sandbox is public, because an attacker can point their own domain here.
 */
function isForeign({ headers, host }: FastifyRequest, { sandboxPublic }: Pick<Config, 'sandboxPublic'>) {
  if (headers['sec-fetch-site'] === 'cross-site') return true;
  if (headers.origin === undefined) return false;
  const from = URL.parse(headers.origin);
  if (from?.host !== host) return true;
  return !sandboxPublic && !isThisMachine(from.hostname.replaceAll(/[[\]]/g, ''));
}

/** Resets the demo business, the clock and the DNS to the first day. The business's user, key and secret stay. */
async function resetSandbox({
  world,
  demo,
  seller,
  keys,
}: Pick<Playground, 'world' | 'demo' | 'seller' | 'keys'>): Promise<void> {
  await world.sql.begin(async tx => {
    await forgetHistory(tx, demo.merchantId);
    await restoreAccounts(tx, demo.merchantId, demoAccounts);
    if (!seller) return;
    await forgetHistory(tx, seller.merchantId);
    await restoreAccounts(tx, seller.merchantId, [sellerAccount]);
  });
  world.clock.reset();
  world.dns.forgetAll();
  keys.askAgain();
  await openDemoSeller(world, demo.password);
  const forward_to = await restoreDemoSettings(world, demo.merchantId);
  updateSandboxFile({ world, demo }, { ...firstAccount, forward_to });
}

/** The simulated bank's statement in CSV, as from net banking. It leaves out what the bank mailed and never booked. */
async function writeStatement({ world, demo }: Playground): Promise<string> {
  const booked = await readBooked(world.sql, demo.merchantId, falseEnd);
  const lines = booked.map(({ at, reference, paise: sum }) =>
    [bookedOn(at), `UPI-ASHA VERMA-${reference}`, reference, '', rupeesText(paise(sum))].join(','),
  );
  return `${['Date,Narration,Ref No,Withdrawal,Deposit', ...lines].join('\r\n')}\r\n`;
}

type ChangedFacts = Partial<Pick<SandboxFile, 'bank' | 'account_digits' | 'forward_to'>>;

/** Moves the demo business's default account to any listed bank, so that a test can play that bank. */
async function changeDemoAccount(
  playground: Pick<Playground, 'world' | 'demo'>,
  { bank, digits }: { bank: string; digits: string | null },
) {
  const { world, demo } = playground;
  if (!world.banks.current().some(one => one.id === bank))
    throw invalid(`there is no bank "${bank.slice(0, 40)}"`);
  const account = await readDefaultAccount(world.sql, demo.merchantId);
  if (!account) throw invalid('the demo business has no default UPI account; reset the sandbox');
  const account_digits = digits ?? account.account_digits ?? demo.account_digits;
  const change = { bank, accountDigits: account_digits };
  await world.sql.begin(tx => changeAccountBank(tx, world, demo.merchantId, account.account_id, change));
  updateSandboxFile(playground, { bank, account_digits });
  return { payment_account_id: account.account_id, bank, account_digits };
}

/** `sandbox.json` must always have the current values. */
function updateSandboxFile({ world, demo }: Pick<Playground, 'world' | 'demo'>, changed: ChangedFacts): void {
  Object.assign(demo, changed);
  const { dataDir } = world.config;
  const file = readSandboxFile(dataDir);
  if (file.base_url !== undefined) writeSandboxFile(dataDir, { ...(file as SandboxFile), ...changed });
}

const longestName = 253;
const longestValue = 4096;
const nameShape = /^(?:[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9_])?\.)+[a-z0-9-]{2,63}$/;

function readScenario(request: FastifyRequest): ScenarioName {
  const how = jsonOf(request)['how'] as ScenarioName;
  if (!scenarioNames.includes(how)) throw invalid(`how must be one of ${scenarioNames.join(', ')}`);
  return how;
}

function readAdvance(request: FastifyRequest): number {
  const seconds = jsonOf(request)['advance_seconds'];
  if (typeof seconds !== 'number' || !(seconds >= 0 && seconds * second <= mostLead)) {
    throw invalid(`advance_seconds must be a number from 0 to ${mostLead / second}`);
  }
  return Math.round(seconds * second);
}

/** If the digits are missing, the account keeps its own. */
function readAccount(request: FastifyRequest): { bank: string; digits: string | null } {
  const { bank, account_digits: digits = null } = jsonOf(request);
  if (typeof bank !== 'string') throw invalid("bank must be the id of a bank's file, such as kotak");
  if (digits !== null && (typeof digits !== 'string' || !/^[0-9]{2,6}$/.test(digits)))
    throw invalid('account_digits must be a text of two to six digits');
  return { bank, digits };
}

function readSettings(request: FastifyRequest): { hold_near_misses: boolean } {
  const { hold_near_misses: hold } = jsonOf(request);
  if (typeof hold !== 'boolean') throw invalid('hold_near_misses must be true or false');
  return { hold_near_misses: hold };
}

function readMail(request: FastifyRequest): Buffer {
  const bytes = bytesOf(request, 'message/rfc822');
  if (bytes.length === 0) throw invalid('the body is empty; send the raw mail');
  return bytes;
}

function readRecord(request: FastifyRequest): { name: string; value: string } {
  const { name: typed } = request.params as { name: string };
  const name = typed.toLowerCase().replace(/\.$/, '');
  if (name.length > longestName || !nameShape.test(name))
    throw invalid('the address does not end in a DNS name');
  const value = bytesOf(request, 'text/plain').toString('latin1').trim();
  if (value.length === 0 || value.length > longestValue || !/^[\x20-\x7e]+$/.test(value)) {
    throw invalid(`the body must be one TXT value of 1 to ${longestValue} printable ASCII characters`);
  }
  return { name, value };
}

function jsonOf(request: FastifyRequest): Record<string, unknown> {
  const body = readJsonBody(request);
  if ('problem' in body) throw invalid(body.problem);
  return body.object;
}

function bytesOf(request: FastifyRequest, type: string): Buffer {
  const given = request.headers['content-type']?.split(';')[0]?.trim().toLowerCase();
  if (given !== type) throw invalid(`Content-Type must be ${type}`);
  return Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0);
}

function invalid(details: string): ApiError {
  return new ApiError('invalid_request', { fields: { details } });
}
