import { type Html, html } from '../../base/http/html.ts';
import { longestMailAddress, parseMailAddress } from '../../base/network/parse-mail-address.ts';
import type { World } from '../../base/world.ts';
import { selectContact, setContact } from '../../business/accounts/queries/businesses.ts';
import { because } from '../../texts/verdicts.ts';
import { field, postForm } from '../frame/controls.ts';
import { card, facts } from '../frame/parts.ts';
import { makeChange } from '../frame/record-change.ts';
import type { Visit } from '../frame/route.ts';

const longestNumber = 30;

/** The shop's contact fields: how each one is parsed, and its greatest length. */
const ways = {
  phone: { read: readPhone, maxlength: longestNumber },
  // WhatsApp links need the number with its country code.
  whatsapp: { read: internationalOnly, maxlength: longestNumber },
  email: { read: parseMailAddress, maxlength: longestMailAddress, inputmode: 'email' },
} as const;
const wayNames = Object.keys(ways) as (keyof typeof ways)[];

/** How customers reach the shop. Everybody who may see the settings sees it; some may change it. */
export async function contactCard({ sql }: Pick<World, 'sql'>, visit: Visit): Promise<Html> {
  const { texts, merchantId, form, may } = visit;
  const words = texts.business;
  const contact = await selectContact(sql, merchantId);
  const said = {
    phone: { label: words.contactPhone, hint: words.contactPhoneHint, wrong: words.contactPhoneWrong },
    whatsapp: {
      label: words.contactWhatsapp,
      hint: words.contactWhatsappHint,
      wrong: words.contactWhatsappWrong,
    },
    email: { label: words.contactEmail, wrong: words.contactEmailWrong },
  };
  const title = { title: words.contactTitle };
  if (!may('business.change')) {
    const lines = wayNames.map(
      way => [said[way].label, contact[`contact_${way}`] ?? words.contactNone] as const,
    );
    return card(facts(lines), title);
  }
  const isGiven = form.has('phone');
  const fields = wayNames.map(way => {
    const { read, ...limits } = ways[way];
    const { wrong, label, ...shown } = said[way];
    const isWrong = isGiven && form.text(way) !== '' && read(form.text(way)) === null;
    return field(way, label, {
      ...shown,
      ...limits,
      value: isGiven ? form.text(way) : (contact[`contact_${way}`] ?? ''),
      autocomplete: 'off',
      error: isWrong ? wrong : undefined,
    });
  });
  return card(
    html`<p class="quiet">${words.contactText}</p>
${postForm('/dashboard/settings/contact', texts.shell.save, fields)}`,
    title,
  );
}

/** False if a value is invalid; then nothing is saved. An empty field removes its contact. */
export async function saveContact(world: Pick<World, 'sql'>, visit: Visit): Promise<boolean> {
  const { form, merchantId } = visit;
  const given = wayNames.map(way => ways[way].read(form.text(way)));
  if (wayNames.some((way, at) => form.text(way) !== '' && given[at] === null)) return false;
  const [phone = null, whatsapp = null, email = null] = given;
  const said = given.filter(Boolean).join(', ');
  await makeChange(world, visit, async tx => {
    await setContact(tx, merchantId, {
      contact_phone: phone,
      contact_whatsapp: whatsapp,
      contact_email: email,
    });
    // The owner is notified, because a wrong contact would send the customers and their complaints to somebody else.
    const notice = said === '' ? because('contact_removed') : because('contact_changed', { contact: said });
    return { action: 'business.contact', subject: said, notice };
  });
  return true;
}

function internationalOnly(text: string): string | null {
  const number = readPhone(text);
  return number?.startsWith('+') ? number : null;
}

/**
 * A telephone number that can be dialled from anywhere: +91… for an Indian one, with or without its 0. A toll-free
 * number has no country code and stays as it is. Null if it is none.
 */
export function readPhone(text: string): string | null {
  const number = text.replace(/[\s().-]/g, '').replace(/^00/, '+');
  if (/^\+[1-9]\d{7,14}$/.test(number)) return number;
  if (/^1[89]\d{2}\d{6,7}$/.test(number)) return number;
  const indian = /^(?:0|91)?([6-9]\d{9})$/.exec(number) ?? /^0(\d{10})$/.exec(number);
  return indian ? `+91${indian[1]}` : null;
}
