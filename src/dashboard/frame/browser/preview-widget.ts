import { payableTime } from '../../../base/time-windows.ts';

type Mount = (selector: string, options: Record<string, unknown>) => void;

const sampleId = 'ML-0000000000';
const address = '/dashboard/integrations/preview/';

/** The real widget with made-up answers: what it asks for under `address` never reaches the server. */
export function previewWidget(): void {
  const button = document.querySelector<HTMLButtonElement>('[data-preview]');
  if (!button) return;
  button.hidden = false;
  button.addEventListener('click', () => {
    button.hidden = true;
    answerByOurselves();
    const script = document.createElement('script');
    script.src = '/embed/milaan.js';
    script.addEventListener('load', () => {
      const { Milaan } = window as unknown as { Milaan?: { mount: Mount } };
      Milaan?.mount(`#${button.dataset['preview']}`, {
        createOrderUrl: `${address}create`,
        statusUrl: address,
        language: document.documentElement.lang,
      });
    });
    document.head.append(script);
  });
}

function answerByOurselves(): void {
  const ask = window.fetch.bind(window);
  const expires = new Date(Date.now() + payableTime).toISOString();
  let payable = 0;
  window.fetch = async (input, init) => {
    const url = String(input instanceof Request ? input.url : input);
    if (!url.startsWith(address)) return await ask(input, init);
    if (init?.method === 'POST')
      payable = (JSON.parse(String(init.body)) as { amount: number }).amount + 0.37;
    const amount = payable.toFixed(2);
    const order = {
      order_id: sampleId,
      status: 'pending',
      payable_amount: Number(amount),
      expires_at: expires,
      payment_url: `${location.origin}/`,
      // No bank has this handle: whoever scans the preview cannot pay by mistake.
      upi_uri: `upi://pay?pa=preview@invalid&pn=Preview&am=${amount}&cu=INR&tn=${sampleId}`,
      qr_base64: null,
      payment_account_id: 'acc_preview',
    };
    return new Response(JSON.stringify(order), { headers: { 'content-type': 'application/json' } });
  };
}
