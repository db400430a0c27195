import { insertFacts } from '../../../texts/insert-facts.ts';
import { element, fill } from './element.ts';
import type { WidgetTexts } from './load-texts.ts';
import type { MilaanOrder } from './milaan-widget.d.ts';
import { rupeesText } from './rupees-text.ts';

/** How to pay from the customer's device: on a phone its apps, what to copy and the QR; else the QR. */
export function waysToPay(
  order: MilaanOrder,
  texts: WidgetTexts,
  say: (text: string) => void,
  toPage: Node | null,
): { first: (Node | null)[]; second: (Node | null)[] } {
  const link = String(order['upi_uri'] ?? '');
  const isUpi = link.startsWith('upi://');
  const fields = new URLSearchParams(isUpi ? link.slice(link.indexOf('?')) : '');
  const onPhone = matchMedia('(pointer: coarse)').matches;
  // A link on the same phone works only for a verified merchant's account, which alone has `tr`.
  const isPersonal = !fields.has('tr');
  const amount = rupeesText(order.payable_amount);
  const tap = () => void navigator.sendBeacon(`${order['payment_url']}/intent`);
  const qr = drawQr(order['qr_base64'], insertFacts(texts.qrLabel, { amount }));
  const payee = fields.get('pa');
  const name = fields.get('pn');

  const row = (label: string, shown: string, value: string) => copyRow(texts, say, label, shown, value);
  const copies =
    payee === null
      ? null
      : [row(texts.upiId, payee, payee), row(texts.amount, amount, order.payable_amount.toFixed(2))];
  const steps =
    copies && onPhone && isPersonal
      ? element('ol', { class: 'rows' }, ...copies, element('li', {}, texts.payInApp))
      : copies && element('ul', { class: 'rows' }, ...copies);
  const payeeName =
    name && copies
      ? element('p', { class: 'quiet' }, `${texts.nameShown}: `, element('bdi', {}, name))
      : null;
  // Without a QR only the link is left (§2).
  const apps = isUpi && (qr === null || (onPhone && !isPersonal)) ? appButtons(link, texts, tap) : null;
  const scan = qr && element('p', { class: 'scan' }, onPhone ? texts.scanOther : texts.scan);
  const other = isUpi ? null : toPage;
  return onPhone
    ? { first: [apps, steps, payeeName, other], second: [scan, qr] }
    : { first: [scan, qr, apps, qr ? null : other], second: [steps, payeeName] };
}

const shownFor = 2_000;

/** A line with a button that copies it. Without a clipboard, the line says how to copy by hand. */
function copyRow(
  texts: WidgetTexts,
  say: (text: string) => void,
  label: string,
  shown: string,
  value: string,
): HTMLElement {
  const what = element('small', {}, label);
  const button = element(
    'button',
    { type: 'button', class: 'copy', 'aria-label': `${texts.copy}: ${label}` },
    texts.copy,
  );
  button.addEventListener('click', async () => {
    try {
      await navigator.clipboard.writeText(value);
      button.textContent = texts.copied;
      say(texts.copied);
      setTimeout(() => {
        button.textContent = texts.copy;
        say('');
      }, shownFor);
    } catch {
      what.textContent = texts.copyByHand;
      say(texts.copyByHand);
    }
  });
  return element('li', {}, element('span', {}, what, element('b', {}, shown)), button);
}

/** An iPhone knows an app only by its own address. `app-links.ts` has them too. */
const iphoneApps = {
  PhonePe: 'phonepe://',
  'Google Pay': 'gpay://upi/',
  Paytm: 'paytmmp://',
  BHIM: 'bhim://',
  CRED: 'credpay://upi/',
};

/** Android asks which app to use. */
function appButtons(link: string, texts: WidgetTexts, tap: () => void): Node {
  if (!/iP(hone|ad|od)/.test(navigator.userAgent)) return appButton(texts.openApp, link, tap);
  const apps = Object.entries(iphoneApps).map(([name, start]) =>
    appButton(name, start + link.slice('upi://'.length), tap),
  );
  return element('div', { class: 'apps' }, ...apps);
}

function appButton(name: string, href: string, tap: () => void): Node {
  const button = element('a', { class: 'open', href }, name);
  button.addEventListener('click', tap);
  return button;
}

const svg = 'http://www.w3.org/2000/svg';
const prefix = 'data:image/svg+xml;base64,';

/**
 * The QR from qr_base64. Our own SVG is drawn again from its numbers, so that it also shows on a page whose policy
 * forbids data: images. Any other QR becomes an image, in which nothing can run.
 */
function drawQr(dataUri: unknown, label: string): Element | null {
  if (typeof dataUri !== 'string' || !dataUri.startsWith(prefix)) return null;
  const drawn = redraw(dataUri.slice(prefix.length), label);
  return drawn ?? element('img', { class: 'qr', src: dataUri, alt: label });
}

function redraw(base64: string, label: string): Element | null {
  try {
    const source = atob(base64);
    const side = /viewBox="0 0 (\d+) \1"/.exec(source)?.[1];
    const dark = /<path stroke="#000" d="([Mhm\d. ]+)"\/><\/svg>$/.exec(source)?.[1];
    if (!side || !dark) return null;
    return shape(
      'svg',
      {
        class: 'qr',
        viewBox: `0 0 ${side} ${side}`,
        role: 'img',
        'aria-label': label,
        'shape-rendering': 'crispEdges',
      },
      shape('path', { fill: '#fff', d: `M0 0h${side}v${side}H0z` }),
      shape('path', { stroke: '#000', d: dark }),
    );
  } catch {
    return null;
  }
}

function shape(name: string, attributes: Record<string, string>, ...children: Element[]): Element {
  return fill(document.createElementNS(svg, name), attributes, children);
}
