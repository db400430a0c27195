import type { WidgetTexts } from '../../texts/widgets.ts';
import { lateWindow, payableTime } from '../../time-windows.ts';
import type { Answer } from './ask-json.ts';
import { drawQr } from './draw-qr.ts';
import { complain, element } from './element.ts';
import type { MilaanOrder } from './milaan-widget.d.ts';
import type { Options } from './read-options.ts';
import { rupeesText } from './rupees-text.ts';
import { startPolling } from './start-polling.ts';
import { askStatus, isWebAddress, readStatus } from './widget-order.ts';

/** As on the hosted page: most payments are confirmed within the first minute. */
const claimAfter = 60_000;

export type Following = { stop(): void };

export type Stage = {
  host: HTMLElement;
  show(...parts: (Node | false | null)[]): void;
  say(text: string): void;
  options: Options;
  texts: WidgetTexts;
  startAgain(): void;
};

/**
 * Shows an order until it is decided. The device's clock is never asked, because it may be wrong or be set meanwhile:
 * time is counted from what a server said. `serverNow` is null where the answer's Date may not be read.
 */
export function followOrder(stage: Stage, created: MilaanOrder, serverNow: number | null): Following {
  const { host, show, say, options, texts } = stage;
  const amount = rupeesText(created.payable_amount);
  const expiry = Date.parse(created.expires_at);
  const waiting = element('p', { class: 'waiting' }, texts.waiting);
  const clock = element('b', { role: 'timer' });
  const havePaid = pageLink('?claim=open#claim', texts.havePaid);
  let order = created;
  let shown = '';
  const seen = performance.now();
  /** Until a server's time is known, an order counts from its first sight: as new, or as just expired. */
  let measured = { left: created.status === 'pending' ? payableTime : 0, at: seen };
  let ticking = 0;
  let spoken = 0;
  /** The customer is typing a new amount: only the news that the old order was paid may interrupt. */
  let away = false;

  const left = () => measured.left - (performance.now() - measured.at);
  const measure = (time: number) => {
    measured = { left: time, at: performance.now() };
  };
  /** §4.4. What a server calls pending is not over by that server's own clock, however wrong that is. */
  const over = () =>
    performance.now() - seen >= payableTime + lateWindow ||
    (order.status !== 'pending' && left() <= -lateWindow);
  const decided = () => order.status === 'paid' || order.status === 'failed';

  if (serverNow !== null) measure(expiry - serverNow);
  follow();
  if (decided()) return { stop };
  if (over()) {
    if (order.status !== 'manual_review') end(texts.over);
    return { stop };
  }
  const polling = startPolling(signal => askStatus(options, order, signal), heard);
  return {
    stop() {
      polling.stop();
      stop();
    },
  };

  function stop(): void {
    clearTimeout(ticking);
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
        end(texts.unpayable);
        return false;
      }
      wait(texts.waiting);
      follow();
    } else wait(code === 402 ? texts.shopCannot : texts.offline);
    if (decided()) return false;
    if (!over()) return true;
    // What was received is not gone: the shop's word is told on the hosted page.
    if (order.status !== 'manual_review') end(texts.over);
    return false;
  }

  function follow(): void {
    if (order.status === shown) return;
    shown = order.status;
    stop();
    if (shown === 'expired' && left() > 0) measure(0);
    if (shown === 'pending') showQr();
    else if (shown === 'paid') paid();
    else if (shown === 'expired') end(texts.expired);
    else if (shown === 'failed') end(withReceived(texts.failedReceived) ?? texts.failed);
    else
      outcome(withReceived(texts.reviewReceived) ?? texts.review, 'problem', pageLink('', texts.seeReview));
  }

  function showQr(): void {
    const link = String(order['upi_uri'] ?? '');
    const qr = drawQr(order['qr_base64'], texts.qrLabel(amount));
    show(
      element('p', { class: 'amount' }, ...amountParts(amount)),
      element('p', { class: 'exact' }, texts.payExactly(amount)),
      element('p', { class: 'quiet' }, texts.whyPaise),
      qr && element('p', { class: 'scan' }, texts.scan),
      qr,
      openLink(link, qr === null),
      element('p', { class: 'clock' }, `${texts.timeLeft} `, clock),
      waiting,
      havePaid,
    );
    say(texts.payExactly(amount));
    tick();
  }

  /**
   * A link on the same phone works for a verified merchant's account, which alone carries `tr`. A personal one is
   * declined by the apps; the hosted page says what to do instead. Without a QR the link is all there is.
   */
  function openLink(link: string, onlyWay: boolean): HTMLElement | null {
    const here = matchMedia('(pointer: coarse)').matches;
    if (link.startsWith('upi://') && (onlyWay || (here && /[?&]tr=/.test(link))))
      return element('a', { class: 'open', href: link }, texts.openApp);
    return here || onlyWay ? pageLink('', texts.onThisPhone) : null;
  }

  /** To the hosted page, which takes the reference of a payment and asks for as long as it is open. */
  function pageLink(query: string, words: string): HTMLElement | null {
    const page = created['payment_url'];
    if (!isWebAddress(page)) return null;
    const link = { class: 'open', href: page + query, target: '_blank', rel: 'noopener noreferrer' };
    return element('a', link, words);
  }

  /** Told with the sum that came in, where the server that was asked knows it. */
  function withReceived(words: (sum: string) => string): string | null {
    const received = order['received_amount'];
    return typeof received === 'number' ? words(rupeesText(received)) : null;
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
      say(texts.minutesLeft(minutes));
    }
    ticking = setTimeout(tick, 1000);
  }

  function wait(text: string): void {
    if (waiting.textContent === text) return;
    waiting.textContent = text;
    if (text !== texts.waiting) say(text);
  }

  function paid(): void {
    outcome(withReceived(texts.paid) ?? texts.paid(amount), 'paid');
    try {
      options.onSuccess?.(order);
    } catch (error) {
      complain('onSuccess failed', error);
    }
  }

  function end(text: string): void {
    stop();
    const again = element('button', { type: 'button' }, texts.startAgain);
    again.addEventListener('click', () => {
      away = true;
      stage.startAgain();
    });
    if (havePaid) havePaid.hidden = order.status !== 'expired';
    outcome(text, 'problem', havePaid, again);
  }

  function outcome(text: string, kind: 'paid' | 'problem', ...more: (Node | null)[]): void {
    if (away && kind !== 'paid') return;
    show(element('p', { class: `outcome ${kind}` }, text), ...more);
    say(text);
  }
}

function amountParts(text: string): (Node | string)[] {
  return [text.slice(0, -3), element('b', {}, text.slice(-3))];
}
