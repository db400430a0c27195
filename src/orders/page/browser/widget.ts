import { contrast, leastContrast, parseRgb } from '../../../base/contrast.ts';
import { insertFacts } from '../../../texts/insert-facts.ts';
import type { Answer } from './ask-json.ts';
import { complain, element, fill } from './element.ts';
import { type Following, followOrder } from './follow-order.ts';
import { chooseLanguage, english, loadTexts, type WidgetTexts } from './load-texts.ts';
import { type Options, readAmount, readOptions } from './read-options.ts';
import { rupeesText } from './rupees-text.ts';
import css from './widget.css';
import { type Attempt, askService, createOrder, readCreated } from './widget-order.ts';

/** The address of this script, known only while it runs for the first time. */
const script = document.currentScript as HTMLScriptElement | null;
const scriptOrigin = script?.src ? new URL(script.src).origin : location.origin;

window.Milaan = { mount: mountWidget };
/** The older name is the same object, so that older pages keep working unchanged (§9). */
window.UpiWidget = window.Milaan;

/**
 * §4.4: puts the widget into the first matching element. Problems are shown on the page and in the console. Nothing is
 * ever thrown into the shop's page.
 */
function mountWidget(selector: unknown, given: unknown): void {
  const begin = () =>
    void place(selector, given).catch(error => complain('the widget could not start', error));
  // If called from the head, the container is not there yet.
  if (document.readyState === 'loading') document.addEventListener('DOMContentLoaded', begin, { once: true });
  else begin();
}

async function place(selector: unknown, given: unknown): Promise<void> {
  const options = readOptions(given, scriptOrigin);
  const tag = chooseLanguage(options.language, options.languages);
  const container = find(selector);
  const host = element('div', { lang: tag });
  // Open: a closed root hides nothing from a page that owns every global, but hides us from our tests and axe.
  const root = host.attachShadow({ mode: 'open' });
  style(root);
  if (!container) {
    complain(`no element of this page matches the selector ${String(selector)}`);
    document.body.append(host);
    root.append(element('div', { class: 'box', role: 'alert' }, english.misconfigured));
    return;
  }
  if (options.accent !== null) wearAccent(host, options.accent);
  container.textContent = '';
  container.append(host);
  const texts = tag === 'en' ? english : await loadTexts(options.origin, tag, options.language === tag);
  // Another widget may have taken its place during the load, and an invisible one must create no order.
  if (host.parentNode === container) runWidget(host, root, options, texts);
}

function find(selector: unknown): Element | null {
  if (selector instanceof Element) return selector;
  try {
    return document.querySelector(String(selector));
  } catch {
    return null;
  }
}

/** A constructed sheet is not inline style, so a page's strict policy allows it. */
function style(root: ShadowRoot): void {
  try {
    const sheet = new CSSStyleSheet();
    sheet.replaceSync(css);
    root.adoptedStyleSheets = [sheet];
  } catch {
    root.append(element('style', {}, css));
  }
}

const inks = ['ffffff', '12211b'];

/** The shop's colour on the buttons, with the most readable ink. A colour that no ink can be read on is not used. */
function wearAccent(host: HTMLElement, accent: string): void {
  const short = /^#[\da-f]{3}$/i.test(accent);
  const hex = /^#([\da-f]{6})$/i.exec(short ? accent.replace(/[\da-f]/gi, '$&$&') : accent)?.[1];
  const contrastWith = (ink: string) => (hex ? contrast(parseRgb(hex), parseRgb(ink)) : 0);
  const [ink = ''] = inks.sort((a, b) => contrastWith(b) - contrastWith(a));
  if (contrastWith(ink) < leastContrast)
    complain(
      `accent ${accent} is not worn: give #rrggbb on which white or black text can be read (4.5 to 1)`,
    );
  else {
    host.style.setProperty('--fill', accent);
    host.style.setProperty('--on-fill', `#${ink}`);
  }
}

/** One widget: the amount field, then the order that it creates. */
function runWidget(host: HTMLElement, root: ShadowRoot, options: Options, texts: WidgetTexts): void {
  const body = element('div', { tabindex: '-1', class: 'body' });
  /** Stays while everything else changes, so that a screen reader announces each change. */
  const status = element('p', { class: 'unseen', role: 'status' });
  root.append(
    element('div', { class: 'box', role: 'group', 'aria-label': options.title ?? texts.title }, body, status),
  );
  const show = (...parts: (Node | false | null)[]) => {
    const focused = root.activeElement !== null;
    body.textContent = '';
    fill(body, {}, parts);
    if (!focused) return;
    // The customer pressed a button here, and the result is longer than that button.
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

  /** A cart's sum needs no second confirmation by the customer. */
  function startAgain(): void {
    if (options.amount === null) showForm('');
    else void submit(String(options.amount));
  }

  /** `isOurs`: the typed amount is wrong, so the button keeps its text. */
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
    const pay = price === false ? texts.pay : insertFacts(texts.payFixed, { amount: price });
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

  /** Shows errors in words for the customer, and with their code for the shop's developer. */
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
