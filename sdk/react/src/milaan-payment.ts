'use client';

import { createElement, type ReactElement, type ReactNode, useEffect, useRef, useState } from 'react';
import { loadWidget } from './load-widget.ts';
import type { MilaanOrder } from './order.ts';

export type MilaanPaymentProps = {
  /** The address of the installation, such as https://pay.example.in; the widget's script comes from there. */
  origin: string;
  /** Your own server: takes POST { amount }, creates the order with your key, and returns the create response. */
  createOrderUrl: string;
  /** Your own server: GET statusUrl + order_id returns the order. The installation is asked when left out. */
  statusUrl?: string;
  /** Rupees of a cart that is known already: a button "Pay ₹998 by UPI" instead of a field. Your server decides. */
  amount?: number;
  /** With `amount`: the order is created as soon as the widget shows, without the button. */
  autoStart?: boolean;
  /** Heading above the amount field. */
  title?: string;
  /** Such as 'hi' or 'ta'; the browser's when left out, among English, Hindi and `languages`. */
  language?: string;
  /** Languages that a browser may choose beside English and Hindi, such as ['ta', 'te']. */
  languages?: readonly string[];
  /** Your colour on the buttons, #rrggbb. */
  accent?: string;
  /** Called once, when the order is paid. For the screen only: mark an order paid by the signed webhook. */
  onSuccess?: (order: MilaanOrder) => void;
  /** The widget's script did not load; the customer reads so and can try again. */
  onLoadError?: (error: Error) => void;
  /** Shown until the widget is there, also in what a server renders. */
  fallback?: ReactNode;
  className?: string;
  /** Of your page's Content-Security-Policy, for the script. */
  nonce?: string;
};

let places = 0;

/**
 * Milaan's widget. What it shows lives in a shadow root of its own and is none of React's. A change of `amount` or of
 * another option starts it anew; a new function for `onSuccess` does not.
 */
export function MilaanPayment(props: MilaanPaymentProps): ReactElement {
  const { origin, nonce, className, fallback = null, onSuccess, onLoadError, ...options } = props;
  const place = useRef<HTMLDivElement | null>(null);
  const calls = useRef<Pick<MilaanPaymentProps, 'onSuccess' | 'onLoadError'> | null>(null);
  const [state, setState] = useState<'loading' | 'shown' | 'failed'>('loading');
  const [tries, setTries] = useState(0);
  // By their values: a parent that renders again must not take an open order off the screen.
  const wanted = JSON.stringify(options);

  useEffect(() => {
    calls.current = { ...(onSuccess && { onSuccess }), ...(onLoadError && { onLoadError }) };
  });

  // biome-ignore lint/correctness/useExhaustiveDependencies: `tries` is the customer's wish to begin anew
  useEffect(() => {
    const container = place.current;
    if (!container) return;
    let isGone = false;
    setState('loading');
    loadWidget(origin, nonce).then(
      widget => {
        // React's strict mode runs every effect twice; the first would make an order that nobody sees.
        if (isGone) return;
        const name = `milaan-${++places}`;
        container.dataset['milaanPayment'] = name;
        setState('shown');
        widget.mount(`[data-milaan-payment="${name}"]`, {
          ...(JSON.parse(wanted) as typeof options),
          origin,
          onSuccess: order => calls.current?.onSuccess?.(order),
        });
      },
      (error: Error) => {
        if (isGone) return;
        setState('failed');
        calls.current?.onLoadError?.(error);
      },
    );
    return () => {
      isGone = true;
      // It stops asking once its element has left the page.
      container.textContent = '';
    };
  }, [origin, nonce, wanted, tries]);

  return createElement(
    'div',
    { className },
    createElement('div', { ref: place }),
    state === 'loading' && fallback,
    state === 'failed' && notLoaded(options.language, () => setTries(tries + 1)),
  );
}

const words = {
  en: ['The UPI payment could not be loaded. Check your connection.', 'Try again'],
  hi: ['UPI भुगतान लोड नहीं हो सका। अपना इंटरनेट कनेक्शन जाँचें।', 'फिर से कोशिश करें'],
};

/** Only ever in a browser: a server never gets as far as a load that failed. */
function notLoaded(language: string | undefined, again: () => void): ReactElement {
  const tag = (language ?? navigator.language).startsWith('hi') ? 'hi' : 'en';
  const [said, tryAgain] = words[tag];
  return createElement(
    'div',
    { role: 'alert', lang: tag },
    createElement('p', null, said),
    createElement('button', { type: 'button', onClick: again }, tryAgain),
  );
}
