import { lateWindow, payableTime } from '../../../base/time-windows.ts';
import { insertFacts } from '../../../texts/insert-facts.ts';
import type { Answer } from './ask-json.ts';
import { complain, element } from './element.ts';
import type { WidgetTexts } from './load-texts.ts';
import type { MilaanOrder } from './milaan-widget.d.ts';
import type { Options } from './read-options.ts';
import { rupeesText } from './rupees-text.ts';
import { startPolling } from './start-polling.ts';
import { waysToPay } from './ways-to-pay.ts';
import { askStatus, isWebAddress, readStatus } from './widget-order.ts';

/** The same as on the hosted page: most payments are confirmed within half a minute. */
const claimAfter = 30_000;

export type Following = { stop(): void };

export type Stage = {
  host: HTMLElement;
  show(...parts: (Node | false | null)[]): void;
  say(text: string): void;
  options: Options;
  texts: WidgetTexts;
  startAgain(): void;
  /** The price that the order was created with, if the server does not say it. */
  price: number;
};

/**
 * Shows an order until it is decided. The device's clock may be wrong or be set, so time is counted from a server's
 * answer. `serverNow` is null if the answer's Date may not be read.
 */
export function followOrder(stage: Stage, created: MilaanOrder, serverNow: number | null): Following {
  const { host, show, say, options, texts } = stage;
  const amount = rupeesText(created.payable_amount);
  const expiry = Date.parse(created.expires_at);
  const waiting = element('p', { class: 'waiting' }, texts.waiting);
  const clock = element('b', { role: 'timer' });
  const havePaid = pageLink('?claim=open#claim', texts.havePaid);
  const looking = created['confirmation_slow'] === true ? texts.lookingSlowly : texts.looking;
  let order = created;
  let shown = '';
  const seen = performance.now();
  /** Until a server's time is known, the order counts as new, or as just expired, when it is first seen. */
  let measured = { left: created.status === 'pending' ? payableTime : 0, at: seen };
  let ticking = 0;
  let spoken = 0;
  let asking = false;
  let lookingUntil = 0;
  /** The customer is typing a new amount. Only the old order's payment may interrupt them. */
  let away = false;

  const left = () => measured.left - (performance.now() - measured.at);
  const measure = (time: number) => {
    measured = { left: time, at: performance.now() };
  };
  /** §4.4. An order that a server calls pending is not over by that server's own clock, however wrong that is. */
  const over = () =>
    performance.now() - seen >= payableTime + lateWindow ||
    (order.status !== 'pending' && left() <= -lateWindow);
  const decided = () => order.status === 'paid' || order.status === 'failed';

  if (serverNow !== null) measure(expiry - serverNow);
  if (order.status === 'pending' && order['payable'] === false) {
    outcome('problem', texts.unpayableHeading, texts.unpayable);
    return { stop };
  }
  follow();
  if (decided()) return { stop };
  if (over()) {
    if (order.status !== 'manual_review') end(texts.overHeading, texts.over);
    return { stop };
  }
  asking = true;
  document.addEventListener('visibilitychange', comeBack);
  const polling = startPolling(
    signal => askStatus(options, order, signal),
    answer => {
      asking = heard(answer);
      return asking;
    },
  );
  return {
    stop() {
      asking = false;
      polling.stop();
      stop();
    },
  };

  function stop(): void {
    clearTimeout(ticking);
  }

  /** Back from the UPI app: the polling asks at once, and the customer reads that we are looking for the payment. */
  function comeBack(): void {
    if (!asking) document.removeEventListener('visibilitychange', comeBack);
    else if (document.visibilityState === 'visible' && shown === 'pending') {
      lookingUntil = performance.now() + 2 * claimAfter;
      wait(looking);
    }
  }

  /** §4.4: stops when paid or failed, on 401, 403 and 404, and ten minutes after the expiry. */
  function heard(answer: Answer): boolean {
    if (!host.isConnected) return false;
    if (answer.date !== null) measure(expiry - answer.date);
    const { status: code } = answer;
    if (code === 401 || code === 403 || code === 404) {
      complain(`the order's status was refused: HTTP ${code}`);
      wait(texts.stopped);
      return false;
    }
    const newer = code >= 200 && code < 300 ? readStatus(answer.body, order) : null;
    if (newer) {
      order = newer;
      if (order['payable'] === false) {
        end(texts.unpayableHeading, texts.unpayable);
        return false;
      }
      wait(performance.now() < lookingUntil ? looking : texts.waiting);
      follow();
    } else wait(code === 402 ? texts.shopCannot : texts.offline);
    if (decided()) return false;
    if (!over()) return true;
    // Received money is not "over". The hosted page shows what the shop decided.
    if (order.status !== 'manual_review') end(texts.overHeading, texts.over);
    return false;
  }

  function follow(): void {
    if (order.status === shown) return;
    shown = order.status;
    stop();
    const received = sumReceived();
    if (shown === 'expired' && left() > 0) measure(0);
    if (shown === 'pending') showWays();
    else if (shown === 'paid') paid();
    else if (shown === 'expired') end(texts.expiredHeading, texts.expired);
    else if (shown === 'failed')
      end(
        texts.failedHeading,
        received === null ? texts.failed : insertFacts(texts.failedReceived, { received }),
      );
    else
      outcome(
        'problem',
        texts.reviewHeading,
        received === null ? texts.review : insertFacts(texts.reviewReceived, { received, amount }),
        pageLink('', texts.seeReview),
      );
  }

  function showWays(): void {
    const { first, second } = waysToPay(order, texts, say, pageLink('', texts.openPage));
    show(
      order['confirmation_slow'] === true && element('p', { class: 'problem' }, texts.blind),
      element('p', { class: amount.length > 9 ? 'amount long' : 'amount' }, ...amountParts(amount)),
      element('p', { class: 'exact' }, insertFacts(texts.payExactly, { amount })),
      element('p', { class: 'quiet' }, whyThisSum()),
      ...first,
      element('p', { class: 'clock' }, `${texts.timeLeft} `, clock),
      waiting,
      ...second,
      havePaid,
    );
    say(insertFacts(texts.payExactly, { amount }));
    tick();
  }

  /** The price and what was added (R6). A server that charges something else has its own price, which is unknown. */
  function whyThisSum(): string {
    const price = Number(created['amount'] ?? stage.price);
    const added = created.payable_amount - price;
    if (added <= 0 || added >= 3) return texts.whyPaise;
    return insertFacts(texts.added, { price: rupeesText(price), added: rupeesText(added) });
  }

  /** Links to the hosted page, which takes a payment's reference and keeps polling while it is open. */
  function pageLink(query: string, words: string): HTMLElement | null {
    const page = created['payment_url'];
    if (!isWebAddress(page)) return null;
    const link = { class: 'open quietly', href: page + query, target: '_blank', rel: 'noopener noreferrer' };
    return element('a', link, words);
  }

  /** The received sum, if the server that was asked knows it. */
  function sumReceived(): string | null {
    const received = order['received_amount'];
    return typeof received === 'number' ? rupeesText(received) : null;
  }

  function tick(): void {
    const time = Math.min(Math.max(left(), 0), payableTime);
    const seconds = Math.ceil(time / 1000);
    clock.textContent = `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`;
    clock.className = seconds <= 60 ? 'soon' : '';
    if (havePaid) havePaid.hidden = time > payableTime - claimAfter;
    const minutes = Math.ceil(seconds / 60);
    if (minutes <= 2 && minutes > 0 && minutes !== spoken) {
      spoken = minutes;
      say(minutes === 1 ? texts.oneMinuteLeft : texts.twoMinutesLeft);
    }
    ticking = setTimeout(tick, 1000);
  }

  function wait(text: string): void {
    if (waiting.textContent === text) return;
    waiting.textContent = text;
    if (text !== texts.waiting) say(text);
  }

  function paid(): void {
    outcome('paid', texts.paidHeading, insertFacts(texts.paid, { amount: sumReceived() ?? amount }));
    try {
      options.onSuccess?.(order);
    } catch (error) {
      complain('onSuccess failed', error);
    }
  }

  /** A customer who may have paid must not pay twice, so their button is the stronger one. */
  function end(heading: string, text: string): void {
    stop();
    const mayHavePaid = order.status === 'expired' && havePaid !== null;
    // §4.1, replay rule 4: the same id would return the same expired order again.
    const isStuck =
      created.status !== 'pending' || (options.createOrderUrl === null && options.merchantOrderId !== null);
    if (isStuck) complain('a new payment needs a fresh merchant_order_id');
    const again = element(
      'button',
      { type: 'button', ...(mayHavePaid && { class: 'quietly' }) },
      texts.startAgain,
    );
    again.addEventListener('click', () => {
      away = true;
      stage.startAgain();
    });
    if (havePaid) {
      havePaid.hidden = !mayHavePaid;
      havePaid.className = 'open';
    }
    outcome(
      'problem',
      heading,
      isStuck ? `${text} ${texts.newOrder}` : text,
      havePaid,
      isStuck ? null : again,
    );
  }

  function outcome(kind: 'paid' | 'problem', heading: string, text: string, ...more: (Node | null)[]): void {
    if (away && kind !== 'paid') return;
    show(
      element(
        'div',
        { class: `outcome ${kind}` },
        kind === 'paid' && element('p', { class: 'tick', 'aria-hidden': 'true' }, '✓'),
        element('h2', {}, heading),
        element('p', {}, text),
        kind === 'paid' && element('p', {}, texts.paidNext),
        element('p', { class: 'quiet' }, `${texts.order} `, element('bdi', {}, order.order_id)),
      ),
      ...more,
    );
    say(`${heading}. ${text}`);
  }
}

function amountParts(text: string): (Node | string)[] {
  return [text.slice(0, -3), element('b', {}, text.slice(-3))];
}
