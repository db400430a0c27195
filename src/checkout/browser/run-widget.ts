import type { WidgetTexts } from '../../texts/widgets.ts';
import type { Answer } from './ask-json.ts';
import { complain, element } from './element.ts';
import { type Following, followOrder } from './follow-order.ts';
import type { Options } from './read-options.ts';
import { type Attempt, canBePaid, createOrder, readCreated } from './widget-order.ts';

const mostRupees = 1_000_000;

/** One widget: the amount field, then the order it led to. */
export function runWidget(host: HTMLElement, root: ShadowRoot, options: Options, texts: WidgetTexts): void {
  const body = element('div', { tabindex: '-1', class: 'body' });
  /** Stays while everything else changes, so that a screen reader hears each change. */
  const status = element('p', { class: 'unseen', role: 'status' });
  root.append(element('section', { class: 'box', 'aria-label': options.title ?? texts.title }, body, status));
  const show = (...parts: (Node | false | null)[]) => {
    const focused = root.activeElement !== null;
    body.replaceChildren(...parts.filter((part): part is Node => part instanceof Node));
    if (focused) body.focus();
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
  start();

  function start(): void {
    if (options.amount === null) showForm('');
    else void submit(String(options.amount));
  }

  function showForm(typed: string, problem?: string): void {
    if (options.amount !== null) {
      showAgain(problem ?? texts.amountWrong);
      return;
    }
    const input = element('input', {
      id: 'amount',
      inputmode: 'decimal',
      autocomplete: 'off',
      maxlength: '20',
      ...(problem !== undefined && { 'aria-describedby': 'problem' }),
    });
    input.value = typed;
    const form = element(
      'form',
      { novalidate: '' },
      element('h2', {}, options.title ?? texts.title),
      element('label', { for: 'amount' }, texts.amountLabel),
      element('div', { class: 'field' }, element('span', { 'aria-hidden': 'true' }, '₹'), input),
      problem !== undefined && element('p', { class: 'problem', id: 'problem', role: 'alert' }, problem),
      element('button', {}, problem === undefined ? texts.pay : texts.tryAgain),
    );
    form.addEventListener('submit', event => {
      event.preventDefault();
      void submit(input.value);
    });
    show(form);
    say('');
  }

  /** With a fixed amount there is nothing to type: only what went wrong, and another try. */
  function showAgain(problem: string): void {
    const again = element('button', { type: 'button' }, texts.tryAgain);
    again.addEventListener('click', start);
    show(element('p', { class: 'problem', role: 'alert' }, problem), again);
    say('');
  }

  async function submit(typed: string): Promise<void> {
    const amount = readAmount(typed);
    if (amount === null) return showForm(typed, texts.amountWrong);
    if (attempt?.amount !== amount)
      attempt = { amount, merchantOrderId: options.merchantOrderId ?? `order_${Date.now()}` };
    show(element('p', { class: 'busy' }, texts.creating));
    say(texts.creating);
    const answer = await createOrder(options, attempt);
    const order = answer.status >= 200 && answer.status < 300 ? readCreated(answer.body, options) : null;
    if (order === null) return refuse(typed, answer);
    attempt = null;
    following?.stop();
    if (!(await canBePaid(order))) {
      show(element('p', { class: 'problem', role: 'alert' }, texts.unpayable));
      return;
    }
    following = followOrder({ host, show, say, options, texts, startAgain: start }, order, answer.date);
  }

  /** Errors in words for the customer, and with their code for whoever built the shop. */
  function refuse(typed: string, { status: code, body: detail }: Answer): void {
    complain(`creating the order failed: ${code === 0 ? 'no answer' : `HTTP ${code}`}`, detail);
    if (code === 402) {
      show(element('p', { class: 'problem', role: 'alert' }, texts.shopCannot));
      return;
    }
    const words =
      code === 0
        ? texts.noAnswer
        : code < 300
          ? texts.badAnswer
          : code === 429 || code === 503
            ? texts.busy
            : texts.refused;
    showForm(typed, words);
  }
}

/** What people type: digits of both scripts, grouping commas, a rupee sign. §8 bounds it. */
function readAmount(typed: string): number | null {
  const plain = typed.replace(/[०-९]/g, digit => String(digit.charCodeAt(0) - 0x966)).replace(/[₹,\s]/g, '');
  const amount = Number(plain);
  return /^(\d+\.?\d*|\.\d+)$/.test(plain) && amount <= mostRupees && Math.round(amount * 100) > 0
    ? amount
    : null;
}
