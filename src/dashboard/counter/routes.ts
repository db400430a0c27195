import { type Html, html } from '../../base/http/html.ts';
import type { World } from '../../base/world.ts';
import { moneyRules } from '../../business/merchants/money-rules.ts';
import { customerTexts } from '../../texts/customer-texts.ts';
import type { CustomerLanguage } from '../../texts/language-tags.ts';
import type { Texts } from '../../texts/languages.ts';
import { linkButton, plainLink, postForm, typedFields } from '../frame/controls.ts';
import { card, rupees, screen } from '../frame/parts.ts';
import { type Answer, get, notFound, page, post, redirect, type Visit } from '../frame/route.ts';
import { selectAccounts } from '../upi-accounts/queries.ts';
import { counterRoutes, live, voiceOf } from './counter.ts';
import { linkRoutes } from './links.ts';
import { nearRoutes, selectNearCredits } from './near-credits.ts';
import {
  type CounterFault,
  makeFromForm,
  mostName,
  mostPurpose,
  paymentPage,
  paymentState,
} from './payment-page.ts';
import { selectCounterOrder } from './queries.ts';

// The counter: a person takes payments on a phone or at a shop counter, without a shop's server.

const box = '/dashboard/counter/box';

export const counterScreenRoutes = [
  get('/dashboard/pay', 'payments.take', (world, visit) => newPayment(world, visit)),
  post('/dashboard/pay', 'payments.take', makePayment),
  get('/dashboard/pay/:order_id', 'payments.take', showPayment),
  get('/dashboard/pay/:order_id/state', 'payments.take', showState),
  ...nearRoutes,
  ...counterRoutes,
  get(box, 'payments.take', showBox),
  // The counter's list, in the language that this device can speak.
  get(`${box}/live`, 'payments.take', async (world, visit) => ({
    kind: 'fragment',
    body: await live(world, visit, null, []),
  })),
  ...linkRoutes,
];

async function newPayment(world: World, visit: Visit, fault: CounterFault | null = null): Promise<Answer> {
  const { texts, form } = visit;
  const words = texts.counter;
  const wrong = (name: string) => (fault?.field === name ? fault.text : undefined);
  const input = typedFields(form, wrong, { autocomplete: 'off' });
  const optional = (label: string) => `${label} (${texts.shell.optional})`;
  const accounts = await selectAccounts(world.sql, visit.merchantId);
  const isPersonal = accounts.find(account => account.is_default)?.kind === 'personal';
  const hint = words.personalLimit({ limit: rupees(moneyRules.personalPayment.paise) });
  const amount = {
    ...(isPersonal && { hint }),
    inputmode: 'decimal',
    required: true,
    autofocus: true,
    maxlength: 12,
  } as const;
  const fields = [
    ...(fault?.field === null ? [html`<p class="error" role="alert">${fault.text}${fault.way}</p>`] : []),
    input('amount', words.amount, amount),
    input('purpose', optional(words.purpose), { hint: words.purposeHint, maxlength: mostPurpose }),
    input('customer', optional(texts.labels.customer), { maxlength: mostName }),
  ];
  return screen(texts.shell.navigation.newPayment, { text: words.text, ...(fault && { status: 400 }) })`
${card(postForm('/dashboard/pay', words.make, fields))}`;
}

async function makePayment(world: World, visit: Visit): Promise<Answer> {
  const made = await makeFromForm(world, visit);
  return 'fault' in made
    ? await newPayment(world, visit, made.fault)
    : redirect(`/dashboard/pay/${made.orderId}`);
}

async function showPayment(world: World, visit: Visit): Promise<Answer> {
  const order = await selectCounterOrder(world.sql, visit.merchantId, visit.params['order_id']!, visit.now);
  if (!order) return notFound();
  const near = await selectNearCredits(world.sql, order, visit.now);
  return page({ title: order.order_id, body: paymentPage(visit, order, near, world.baseUrl) });
}

async function showState(world: World, visit: Visit): Promise<Answer> {
  const order = await selectCounterOrder(world.sql, visit.merchantId, visit.params['order_id']!, visit.now);
  if (!order) return notFound();
  const near = await selectNearCredits(world.sql, order, visit.now);
  return { kind: 'fragment', body: paymentState(visit, order, near) };
}

/** The sound box: a second device at the counter. It shows and speaks payments, and says when it cannot see them. */
async function showBox(world: World, visit: Visit): Promise<Answer> {
  const { texts, business } = visit;
  const words = texts.box;
  const voice = voiceOf(visit);
  // English is the fallback for a device without a voice for the first language.
  const speech = [voice, 'en' as const].map(speechIn);
  const body = html`<div class="box" data-box="${JSON.stringify(speech)}">
<div class="box-head"><h1>${words.title} · <bdi>${business.name}</bdi></h1>${plainLink('/dashboard/counter', texts.shell.navigation.counter)}</div>
<div class="box-state" role="status"><p data-when="seeing" hidden>${words.seeing}</p>${(['blind', 'full', 'lost', 'out'] as const).map(when => cannotSee(texts, when))}</div>
<div class="box-start" data-before hidden><button type="button" class="button" data-start>${words.start}</button><p>${words.startText}</p></div>
<noscript><p>${words.noScript}</p></noscript>
<div id="counter-live" data-live="${box}/live?say=${voice}" data-live-always data-live-pause="1000">${await live(world, visit, null, [])}</div>
<div class="box-foot quiet">${(['noVoice', 'noSpeech', 'asleep'] as const).map(lack => html`<p data-lack="${lack}" hidden>${words[lack]}</p>`)}
<button type="button" class="button plain" data-test hidden>${words.test}</button></div>
</div>`;
  return page({ title: words.title, body });
}

function speechIn(tag: CustomerLanguage) {
  const { boxIsOn: test, blind, sees: seeing } = customerTexts(tag).spoken;
  return { tag, test, blind, seeing };
}

function cannotSee({ box: words, counter }: Texts, when: 'blind' | 'full' | 'lost' | 'out'): Html {
  const why = when === 'full' ? counter.takingsStopped : words.why[when];
  return html`<div data-when="${when}" hidden><p><strong>${words.blind}</strong></p><p>${why}</p>${when === 'out' && linkButton(box, words.signIn)}</div>`;
}
