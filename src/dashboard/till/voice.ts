import { type Html, html } from '../../base/http/html.ts';
import { readCookie } from '../../base/http/read-cookie.ts';
import type { World } from '../../base/world.ts';
import { customerTexts } from '../../texts/customer-texts.ts';
import { type CustomerLanguage, customerTags, languageTags } from '../../texts/language-tags.ts';
import { put } from '../../texts/put.ts';
import type { Visit } from '../frame/route.ts';
import { selectLanguages } from '../settings/queries.ts';

/** The language that payments are told in: the one asked for (`?say=`), or chosen on this device, else the screen's. */
export function voiceOf({ request, query, texts }: Visit): CustomerLanguage {
  const chosen = query.text('say') || readCookie(request.headers.cookie, 'milaan-voice');
  return customerTags.find(tag => tag === chosen) ?? texts.tag;
}

export function sayReceived(voice: CustomerLanguage, paise: number): string {
  const { received, receivedPaise } = customerTexts(voice).spoken;
  const [rupees, rest] = [String(Math.floor(paise / 100)), paise % 100];
  return rest === 0 ? put(received, rupees) : put(receivedPaise, rupees, String(rest));
}

/** English, Hindi and what customers read. The script shows it, keeps the choice, and says the words of each as a sample. */
export async function voiceChoice({ sql }: Pick<World, 'sql'>, visit: Visit): Promise<Html> {
  const voice = voiceOf(visit);
  const shops = await selectLanguages(sql, visit.merchantId);
  const offered = customerTags.filter(tag => [...languageTags, voice, ...shops].includes(tag));
  return html`<select data-voice aria-label="${visit.texts.till.voice}" hidden>${offered.map(
    tag =>
      html`<option value="${tag}" lang="${tag}" data-say="${customerTexts(tag).spoken.soundIsOn}"${tag === voice && html` selected`}>${customerTexts(tag).page.language}</option>`,
  )}</select>`;
}
