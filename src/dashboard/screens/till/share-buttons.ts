import { type Html, html } from '../../../http/html.ts';
import type { Texts } from '../../../texts/languages.ts';

/** To the customer: WhatsApp by its own address, and whatever the device offers where a script can ask it. */
export function shareButtons({ till }: Texts, text: string, url: string): Html {
  const message = `${text} ${url}`;
  return html`<div class="actions"><a class="button plain" href="https://wa.me/?text=${encodeURIComponent(message)}" target="_blank" rel="noreferrer">${till.whatsapp}</a>
<button type="button" class="button plain" data-share="${url}" data-share-text="${text}" hidden>${till.share}</button></div>`;
}
