import { type Html, html } from '../../http/html.ts';
import { linkButton } from '../components/button.ts';
import type { Visit } from '../route.ts';
import { type BothLanguages, inLanguage } from './in-language.ts';

const words: BothLanguages<{ text: string; confirm: string }> = {
  en: {
    text: 'This is a dangerous change, so we ask you to sign in afresh before you make it.',
    confirm: 'Confirm that it is you',
  },
  hi: { text: 'यह नाज़ुक बदलाव है, इसलिए पहले फिर से साइन इन करके पुष्टि करें।', confirm: 'पुष्टि करें कि यह आप हैं' },
};

/** The form of a dangerous change, or the way to the proof that comes first: nobody types everything twice. */
export function whenFresh({ session, texts, url }: Visit, form: () => Html): Html {
  if (session.fresh) return form();
  const { text, confirm } = inLanguage(texts, words);
  const next = encodeURIComponent(url);
  return html`<p>${text}</p><div class="actions">${linkButton(`/dashboard/confirm?next=${next}`, confirm, { plain: true })}</div>`;
}
