import { put } from '../../../texts/put.ts';
import type { Answer } from './ask-json.ts';
import { complain, element, fill } from './element.ts';
import { type Following, followOrder } from './follow-order.ts';
import type { WidgetTexts } from './load-texts.ts';
import { readAmount } from './read-amount.ts';
import type { Options } from './read-options.ts';
import { rupeesText } from './rupees-text.ts';
import { type Attempt, askService, createOrder, readCreated } from './widget-order.ts';

/** One widget: the amount field, then the order it led to. */
export function runWidget(host: HTMLElement, root: ShadowRoot, options: Options, texts: WidgetTexts): void {
  const body = element('div', { tabindex: '-1', class: 'body' });
  /** Stays while everything else changes, so that a screen reader hears each change. */
  const status = element('p', { class: 'unseen', role: 'status' });
  root.append(
    element('div', { class: 'box', role: 'group', 'aria-label': options.title ?? texts.title }, body, status),
  );
  const show = (...parts: (Node | false | null)[]) => {
    const focused = root.activeElement !== null;
    body.textContent = '';
    fill(body, {}, parts);
    if (!focused) return;
    // The customer pressed something here: what came of it is longer than a button.
    body.focus();
    host.scrollIntoView({ block: 'nearest' });
  };
  const say = (text: string) => {
    status.textContent = text;
  };
  let attempt: Attempt | null = null;
  let following: Following | null = null;

  if (options.createOrderUrl === null && options.apiKey === null) {
    complain('give createOrderUrl (or, for a test, apiKey)');
    show(element('p', { class: 'problem', role: 'alert' }, texts.misconfigured));
    return;
  }
  if (options.autoStart && options.amount !== null) startAgain();
  else showForm('');

  /** A cart's sum needs no second word of the customer. */
  function startAgain(): void {
    if (options.amount === null) showForm('');
    else void submit(String(options.amount));
  }

  /** `isOurs`: the problem is with what was typed, and the button stays what it was. */
  function showForm(typed: string, problem?: string, isOurs = false): void {
    const { amount } = options;
    const input = element('input', {
      id: 'amount',
      inputmode: 'decimal',
      autocomplete: 'off',
      maxlength: '20',
      ...(problem !== undefined && { 'aria-describedby': 'problem' }),
    });
    input.value = typed;
    const price = amount !== null && rupeesText(amount).replace(/\.00$/, '');
    const pay = price === false ? texts.pay : put(texts.payFixed, { amount: price });
    const form = element(
      'form',
      { novalidate: '' },
      (amount === null || options.title !== null) && element('h2', {}, options.title ?? texts.title),
      amount === null && element('label', { for: 'amount' }, texts.amountLabel),
      amount === null &&
        element('div', { class: 'field' }, element('span', { 'aria-hidden': 'true' }, '₹'), input),
      problem !== undefined && element('p', { class: 'problem', id: 'problem', role: 'alert' }, problem),
      element('button', {}, problem === undefined || isOurs ? pay : texts.tryAgain),
    );
    form.addEventListener('submit', event => {
      event.preventDefault();
      void submit(amount === null ? input.value : String(amount));
    });
    show(form);
    say('');
  }

  async function submit(typed: string): Promise<void> {
    const amount = readAmount(typed);
    if (amount === null) return showForm(typed, texts.amountWrong, true);
    if (attempt?.amount !== amount)
      attempt = { amount, merchantOrderId: options.merchantOrderId ?? `order_${Date.now()}` };
    show(element('p', { class: 'busy' }, texts.creating));
    say(texts.creating);
    const answer = await createOrder(options, attempt);
    const order = answer.status >= 200 && answer.status < 300 ? readCreated(answer.body, options) : null;
    if (order === null) return refuse(typed, answer);
    attempt = null;
    following?.stop();
    const known = await askService(order);
    const stage = { host, show, say, options, texts, startAgain, price: amount };
    following = followOrder(stage, { ...order, ...known }, answer.date);
  }

  /** Errors in words for the customer, and with their code for whoever built the shop. */
  function refuse(typed: string, { status: code, body: detail }: Answer): void {
    complain(`creating the order failed: ${code === 0 ? 'no answer' : `HTTP ${code}`}`, detail);
    if (code === 402) {
      show(element('p', { class: 'problem', role: 'alert' }, texts.shopCannot));
      return;
    }
    const words = code === 0 ? texts.noAnswer : code === 429 || code === 503 ? texts.busy : texts.refused;
    showForm(typed, words);
  }
}
