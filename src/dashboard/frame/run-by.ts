import { type Html, html } from '../../base/http/html.ts';
import type { Operator } from '../../base/settings/config-operator.ts';
import type { Texts } from '../../texts/languages.ts';

/** Who runs this installation and how to reach them, at the foot of every page that may say "ask the operator". */
export function runBy(
  { platform }: Texts,
  { name, mail, phone, termsUrl, privacyUrl }: Operator,
): Html | null {
  const told = [
    name !== null && html`<bdi>${name}</bdi>`,
    mail !== null && html`<a href="mailto:${mail}">${mail}</a>`,
    phone !== null && html`<a href="tel:${phone.replace(/[^+\d]/g, '')}">${phone}</a>`,
    termsUrl !== null && html`<a href="${termsUrl}">${platform.termsLink}</a>`,
    privacyUrl !== null && html`<a href="${privacyUrl}">${platform.privacyLink}</a>`,
  ].filter(one => one !== false);
  if (told.length === 0) return null;
  const parts = told.map((one, at) => html`${at > 0 && ' · '}${one}`);
  return html`<footer class="run-by quiet">${(name ?? mail ?? phone) !== null && `${platform.runBy} `}${parts}</footer>`;
}
