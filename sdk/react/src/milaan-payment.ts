'use client';

import { createElement, type ReactElement, type ReactNode, useEffect, useRef, useState } from 'react';
import { loadWidget } from './load-widget.ts';
import type { MilaanOrder } from './order.ts';

export type MilaanPaymentProps = {
  /** The installation's address, such as https://pay.example.in; the widget's script comes from there. */
  origin: string;
  /** Your server: takes POST { amount }, creates the order with your key, and returns the create response. */
  createOrderUrl: string;
  /** Your server: GET statusUrl + order_id returns the order. When left out, the installation is asked. */
  statusUrl?: string;
  /** Rupees for a known cart: a button "Pay ₹998 by UPI" instead of a field. Your server decides. */
  amount?: number;
  /** With `amount`: the order is created as soon as the widget shows, without the button. */
  autoStart?: boolean;
  /** Heading above the amount field. */
  title?: string;
  /** Such as 'hi' or 'ta'. When left out, the browser's language among English, Hindi and `languages`. */
  language?: string;
  /** Languages that a browser may select next to English and Hindi, such as ['ta', 'te']. */
  languages?: readonly string[];
  /** Your colour on the buttons, #rrggbb. */
  accent?: string;
  /** Called once, when the order is paid. For the screen only: mark an order paid by the signed webhook. */
  onSuccess?: (order: MilaanOrder) => void;
  /** The widget's script did not load. The customer sees that and can try again. */
  onLoadError?: (error: Error) => void;
  /** Shown until the widget is loaded, also in server-rendered pages. */
  fallback?: ReactNode;
  className?: string;
  /** The nonce for the script in your page's Content-Security-Policy. */
  nonce?: string;
};

let places = 0;

/**
 * Milaan's widget. It renders into its own shadow root, outside React. A change of `amount` or another option restarts
 * it; a new function for `onSuccess` does not.
 */
export function MilaanPayment(props: MilaanPaymentProps): ReactElement {
  const { origin, nonce, className, fallback = null, onSuccess, onLoadError, ...options } = props;
  const place = useRef<HTMLDivElement | null>(null);
  const calls = useRef<Pick<MilaanPaymentProps, 'onSuccess' | 'onLoadError'> | null>(null);
  const [state, setState] = useState<'loading' | 'shown' | 'failed'>('loading');
  const [tries, setTries] = useState(0);
  // Compared by value: a parent that renders again must not remove an open order from the screen.
  const wanted = JSON.stringify(options);

  useEffect(() => {
    calls.current = { ...(onSuccess && { onSuccess }), ...(onLoadError && { onLoadError }) };
  });

  // biome-ignore lint/correctness/useExhaustiveDependencies: `tries` is the customer's wish to start again
  useEffect(() => {
    const container = place.current;
    if (!container) return;
    let isGone = false;
    setState('loading');
    loadWidget(origin, nonce).then(
      widget => {
        // React's strict mode runs every effect twice; the first run would create an order that nobody sees.
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
      // The widget stops polling once its element has left the page.
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

/** Runs only in a browser, because a server never gets as far as a failed load. */
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
