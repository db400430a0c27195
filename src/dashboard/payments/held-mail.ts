import { acceptHeldMail } from '../../alerts/held/accept-held-mail.ts';
import { type HeldReading, readHeldMail } from '../../alerts/held/read-held-mail.ts';
import { type Html, html } from '../../base/http/html.ts';
import type { Paise } from '../../base/money.ts';
import type { World } from '../../base/world.ts';
import type { Order } from '../../orders/order.ts';
import { selectTwins, type Twin } from '../../payments/matching/queries/twins.ts';
import { sayReason } from '../../texts/say.ts';
import { creditVerdicts } from '../../texts/verdicts.ts';
import { button, hidden, radioField, whenConfirmed } from '../frame/controls.ts';
import { card, facts, moment, note, rupees, screen, titledCard } from '../frame/parts.ts';
import { actorOf, makeChange } from '../frame/record-change.ts';
import { type Answer, get, notFound, post, reauth, redirect, type Visit } from '../frame/route.ts';
import { stillAllowed } from '../frame/still-allowed.ts';
import { moneyPath, noteField, twinField, twinList } from './credit-words.ts';
import { orderSearch, searchUnpaid } from './decision.ts';
import { selectTypedOn, selectUnpaidAround } from './queries/credits.ts';
import { selectProven } from './queries/refused.ts';
import { doubtfulPath, notCountedPath } from './refused-mails.ts';

const one = `${moneyPath}/held/:alert_id` as const;

/** A mail with a proven origin whose reading is in doubt. Its owner reads it and accepts it for an order (R16). */
export const heldMailRoutes = [
  get(one, 'business.read', showHeld),
  post(`${one}/accept`, reauth('money.read'), accept),
];

async function showHeld(world: World, visit: Visit): Promise<Answer> {
  const { texts, merchantId, now } = visit;
  const held = await readHeldMail(world, merchantId, visit.params['alert_id']!, now);
  if (held === null || held === 'busy') return await notOffered(world, visit, held);
  const isSupportView = visit.user.role === 'onlooker';
  if (!isSupportView)
    await makeChange(world, visit, async () => ({ action: 'mail.look', subject: held.alert.alert_id }));
  const words = texts.heldMail;
  const bank = world.banks.current().find(({ id }) => id === held.alert.bank)?.name ?? held.alert.bank;
  const claims = await selectTypedOn(world.sql, merchantId, held.offer.references);
  const claimants = claims.map(({ order_id }) => order_id);
  const { alert_time: at } = held.alert;
  const around = { at, amounts: held.offer.amounts, claimants, now };
  // The searched orders; else those whose customers named this mail, then unpaid ones near its time and amounts.
  const orders =
    (await searchUnpaid(world.sql, visit)) ?? (await selectUnpaidAround(world.sql, merchantId, around));
  const offered = { numbers: held.numbers, amounts: held.offer.amounts };
  const twins = await selectTwins(world.sql, merchantId, held.alert.alert_id, offered);
  const back = { href: notCountedPath, text: texts.payments.notCounted };
  return screen(words.title, { text: words.text({ bank }), back })`
${titledCard({ title: words.mail })`<p>${sayReason(texts.tag, held.reason)}</p>
${facts([
  [texts.labels.cameIn, moment(held.alert.alert_time)],
  [words.account, held.offer.accountDigits === null ? held.offer.payeeVpa : `…${held.offer.accountDigits}`],
])}
${isSupportView ? note(words.notInSupportView) : html`<p class="quiet">${words.marked}</p><pre class="prewrap" tabindex="0" dir="auto">${highlightedText(held.offer)}</pre>`}`}
${twinList(visit, twins)}${card(visit.may('money.read') ? choosing(visit, held, orders, claims, twins) : note(words.ownersOnly), { title: words.choose, id: 'choose' })}`;
}

type Claims = Awaited<ReturnType<typeof selectTypedOn>>;

function choosing(
  visit: Visit,
  { alert, offer, seal }: HeldReading,
  orders: readonly Order[],
  claims: Claims,
  twins: readonly Twin[],
): Html {
  const { texts } = visit;
  const words = texts.heldMail;
  const path = `${moneyPath}/held/${alert.alert_id}`;
  const search = orderSearch(visit, path);
  if (orders.length === 0) return html`<p>${words.noOrder}</p>${search}`;
  const amounts = offer.amounts.map(amount => ({ value: String(amount), text: rupees(amount) }));
  const references = offer.references.map(value => ({ value, text: value }));
  const choices = orders.map(({ order_id: value, merchant_order_id, payable_paise }) => {
    const named = claims.filter(one => one.order_id === value).map(one => words.named(one));
    const hint = [merchant_order_id, ...named].join(' · ');
    return { value, text: `${value}: ${rupees(payable_paise)}`, hint };
  });
  const form = () => html`<form method="post" action="${path}/accept" class="stack">
${hidden({ seal })}
${note(words.compare)}
${radioField('amount', words.amount, { value: '', choices: amounts })}
${references.length === 0 ? html`<p class="quiet">${words.noReference}</p>` : radioField('reference', words.reference, { value: '', choices: references })}
${radioField('order', words.order, { value: '', choices })}
${twinField(visit, twins)}${noteField(visit, 'held-note')}
<p>${texts.money.acceptText}</p><div class="actions">${button(texts.money.accept)}</div></form>`;
  return html`${whenConfirmed(visit, form)}<div class="other-way">${search}</div>`;
}

/** Marks text that the payer may have written. Nothing from the mail is HTML here. */
function highlightedText({ text, doubtful }: HeldReading['offer']): Html {
  const pieces: Html[] = [];
  let at = 0;
  for (const [from, to] of doubtful) {
    pieces.push(html`${text.slice(at, from)}<mark>${text.slice(from, to)}</mark>`);
    at = to;
  }
  return html`${pieces}${text.slice(at)}`;
}

async function accept(world: World, visit: Visit): Promise<Answer> {
  const { form, texts, merchantId, now } = visit;
  const { refusals, done } = texts.money;
  const held = await readHeldMail(world, merchantId, visit.params['alert_id']!, now);
  if (held === null || held === 'busy') return await notOffered(world, visit, held);
  const here = `${moneyPath}/held/${held.alert.alert_id}`;
  // The decision counts only for the figures shown: a wording saved since then may offer others.
  if (form.text('seal') !== held.seal) return redirect(here, refusals.not_offered);
  const [amount, orderId, reference] = [form.text('amount'), form.text('order'), form.text('reference')];
  if (!/^\d{1,12}$/.test(amount) || orderId === '') return redirect(here, texts.heldMail.chooseAll);
  const chosen = {
    orderId,
    amount: Number(amount) as Paise,
    reference: reference === '' ? null : reference,
    note: form.text('note'),
    seen: form.text('seen').split(' '),
  };
  if (chosen.reference === null && held.offer.references.length > 0)
    return redirect(here, texts.heldMail.chooseAll);
  const refused = await world.sql.begin(async tx => {
    await stillAllowed(tx, visit, 'money.read');
    return await acceptHeldMail(tx, world, actorOf(visit), held, chosen);
  });
  if (!refused) return redirect(`/dashboard/orders/${orderId}`, done.accepted);
  return redirect(here, refusals[refused.refusal]);
}

/** A notice or an open page may lead here when nothing can be chosen, or after the mail has counted. */
async function notOffered({ sql }: World, visit: Visit, held: 'busy' | null): Promise<Answer> {
  const { texts, merchantId, now } = visit;
  const mail = await selectProven(sql, merchantId, visit.params['alert_id']!, now);
  if (!mail) return notFound();
  const { alert_id: alertId, verdict, order_id: orderId } = mail;
  const why = held === 'busy' ? texts.tryMail.busy : texts.heldMail.nothing;
  if (verdict === 'unreadable') return redirect(`${doubtfulPath}#${alertId}`, why);
  if (verdict === 'paid' && orderId !== null)
    return redirect(`/dashboard/orders/${orderId}`, texts.heldMail.counted);
  const isCredit = creditVerdicts.some(one => one === verdict);
  return isCredit ? redirect(`${moneyPath}/${alertId}`, texts.heldMail.counted) : notFound();
}
